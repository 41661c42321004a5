import type { EditedText, SaveRefusal } from '#contract/translation/edit-translations.ts'
import { type EditorLanguage, editorUrls } from '#contract/translation/editor.ts'
import { useShop } from '../parts/shared/shop-context.tsx'
import type { EditorWords } from './editor-words.ts'
import { StatusOptions } from './status-options.tsx'
import { formsOf, revisionsOf, statusOf, translatedForms } from './text-status.ts'
import { textsWords } from './texts-words.ts'

export type TextsQuery = {
  readonly language: string
  readonly status: string
  readonly area: string
  readonly s: string
  readonly paged: number
}

export type TextsFacts = {
  readonly query: TextsQuery
  readonly languages: readonly EditorLanguage[]
  readonly language: EditorLanguage
  readonly own: { readonly tag: string; readonly dir: 'ltr' | 'rtl' }
  readonly texts: readonly EditedText[]
  readonly total: number
  readonly pages: number
  readonly nonce: string
  readonly approved: number | null
  readonly saved: number | null
  /** The posted values that were not saved. */
  readonly refused: {
    readonly id: number
    readonly reason: SaveRefusal
    readonly said: Readonly<Record<string, string>>
  } | null
}

/** All texts of the shop in a table with a form for each. It works without scripts, which make it faster. */
export function TextsPage({ facts, words }: { facts: TextsFacts; words: EditorWords }) {
  const { t, n } = useShop()
  const more = textsWords(t)
  const { query, languages, language, texts, total, pages, nonce } = facts
  const hidden = {
    language: query.language,
    status: query.status,
    area: query.area,
    s: query.s,
    paged: String(query.paged),
  }
  const approvable = texts.some((text) => [1, 3].includes(statusOf(text, language)))
  return (
    <>
      <header className="editor-bar">
        <h1 className="editor-title">{words.allTexts}</h1>
        <span className="editor-progress">
          <meter min={0} max={100} value={language.done} aria-hidden="true" />
          {t('%s translated', `${language.done}\u00a0%`)}
        </span>
        <nav className="editor-links">
          <a href={editorUrls.editor(language.tag)}>{more.inTheShop}</a>
          <a href="/">{words.backToShop}</a>
        </nav>
      </header>
      <main id="main" className="texts-main">
        <search>
          <form method="get" className="texts-filter">
            <label className="editor-field">
              <span>{words.language}</span>
              <select name="language" defaultValue={language.tag}>
                {languages.map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className="editor-field">
              <span>{words.status}</span>
              <select name="status" defaultValue={query.status}>
                <StatusOptions words={words} />
              </select>
            </label>
            <label className="editor-field">
              <span>{more.area}</span>
              <select name="area" defaultValue={query.area}>
                <option value="">{words.all}</option>
                {Object.entries(more.areas).map(([area, name]) => (
                  <option key={area} value={area}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className="editor-field texts-search">
              <span>{more.search}</span>
              <input type="search" name="s" defaultValue={query.s} maxLength={200} />
            </label>
            <button type="submit" className="button">
              {more.show}
            </button>
          </form>
        </search>
        <p className="texts-count" role="status">
          {facts.approved !== null
            ? n(facts.approved, '%s text is reviewed now.', '%s texts are reviewed now.')
            : n(total, '%s text', '%s texts')}
        </p>
        {approvable && (
          <form id="approve" method="post" className="texts-approve">
            <Hidden fields={{ ...hidden, security: nonce, do: 'approve' }} />
            <button type="submit" className="button">
              {more.approve}
            </button>
          </form>
        )}
        {texts.length === 0 ? (
          <p className="editor-hint">{more.nothing}</p>
        ) : (
          <ul className="texts-rows">
            {texts.map((text) => (
              <Row key={text.id} text={text} facts={facts} words={words} hidden={hidden} />
            ))}
          </ul>
        )}
        {pages > 1 && (
          <nav className="texts-pages" aria-label={more.pages}>
            {query.paged > 1 && <PageLink query={query} to={query.paged - 1} text={more.before} rel="prev" />}
            <span>{t('Page %1$s of %2$s', query.paged, pages)}</span>
            {query.paged < pages && <PageLink query={query} to={query.paged + 1} text={more.after} rel="next" />}
          </nav>
        )}
      </main>
    </>
  )
}

type RowProps = { text: EditedText; facts: TextsFacts; words: EditorWords; hidden: Readonly<Record<string, string>> }

function Row({ text, facts, words, hidden }: RowProps) {
  const { t } = useShop()
  const more = textsWords(t)
  const { language, own, nonce, saved, refused } = facts
  const status = statusOf(text, language)
  const isRefused = refused?.id === text.id
  const said = isRefused ? { ...translatedForms(text, language), ...refused.said } : translatedForms(text, language)
  const revisions = revisionsOf(text, language)
  const mayApprove = status === 1 || status === 3
  const inEnglish = text.area === 'interface'
  const original = `original-${text.id}`
  const note = `note-${text.id}`
  return (
    <li id={`text-${text.id}`} className="texts-row" data-status={status}>
      <div className="texts-original">
        <p lang={inEnglish ? 'en' : own.tag} dir={inEnglish ? 'ltr' : own.dir} id={original}>
          {text.original}
        </p>
        <p className="editor-note">
          {/* Decoration: the text beside it has the same meaning. */}
          <span className="editor-dot" data-status={status} />{' '}
          <span className="texts-status">{words.statuses[status]}</span> · {more.areas[text.area]}
          {text.area === 'slug' && ` (${text.context})`}
        </p>
        {mayApprove && (
          <label className="texts-check">
            <input
              type="checkbox"
              name={`approve[${text.id}]`}
              value={revisionsText(revisions)}
              form="approve"
              aria-describedby={original}
            />
            {more.approveThis}
          </label>
        )}
      </div>
      <form method="post" className="texts-form" data-id={text.id}>
        <Hidden fields={{ ...hidden, security: nonce, do: 'save', id: String(text.id) }} />
        {formsOf(text, language).map((form, place) => (
          <div key={form} className="editor-form-field">
            {form !== '' && (
              <span className="editor-note" id={`${original}-${form}`}>
                {words.forms[form as keyof EditorWords['forms']]}
              </span>
            )}
            <input type="hidden" name={`revision[${form || 'only'}]`} value={revisions[form] ?? 0} />
            <textarea
              name={`said[${form || 'only'}]`}
              lang={language.tag}
              dir={language.dir}
              rows={Math.min(8, Math.max(1, Math.ceil((said[form] || text.original).length / 60)))}
              defaultValue={said[form]}
              aria-labelledby={form === '' ? original : `${original} ${original}-${form}`}
              {...(isRefused && { 'aria-invalid': true, 'aria-describedby': note, autoFocus: place === 0 })}
            />
          </div>
        ))}
        <div className="editor-actions">
          <button type="submit" className="button" aria-describedby={original}>
            {words.save}
          </button>
          <span className="editor-note" role="status" id={note}>
            {saved === text.id && words.saved}
            {isRefused && (
              <span className="editor-fault">
                {refused.reason === 'stale'
                  ? `${words.stale} ${Object.values(translatedForms(text, language)).join(' / ')}`
                  : words.refused[refused.reason]}
              </span>
            )}
          </span>
        </div>
      </form>
    </li>
  )
}

const revisionsText = (revisions: Readonly<Record<string, number>>) => JSON.stringify(revisions)

function Hidden({ fields }: { fields: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}

function PageLink({ query, to, text, rel }: { query: TextsQuery; to: number; text: string; rel: string }) {
  return (
    <a className="button" rel={rel} href={editorUrls.texts({ ...query, paged: to })}>
      {text}
    </a>
  )
}
