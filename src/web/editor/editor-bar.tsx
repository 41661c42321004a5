import { type EditorFacts, type EditorLanguage, editorUrls } from '#contract/translation/editor.ts'
import type { EditorWords } from './editor-words.ts'

type Props = {
  words: EditorWords
  facts: EditorFacts
  languages: readonly EditorLanguage[]
  language: EditorLanguage
  path: string
  picking: boolean
  onLanguage: (tag: string) => void
  onPath: (path: string) => void
  onMode: (picking: boolean) => void
}

/** The bar of language and page, with the mode of clicks: choosing texts, or working as for visitors. */
export function EditorBar({ words, facts, languages, language, path, picking, onLanguage, onPath, onMode }: Props) {
  const mail = facts.mails.find((one) => one.path === path)
  return (
    <header className="editor-bar">
      <h1 className="editor-title">{words.title}</h1>
      <label className="editor-field">
        <span>{words.language}</span>
        <select value={language.tag} onChange={({ target }) => onLanguage(target.value)} translate="no">
          {languages.map(({ tag, name, published }) => (
            <option key={tag} value={tag}>
              {published ? name : `${name} (${words.unpublished})`}
            </option>
          ))}
        </select>
      </label>
      <label className="editor-field">
        <span>{words.page}</span>
        <select value={mail?.path ?? ''} onChange={({ target }) => onPath(target.value || '/')}>
          <option value="">{words.theShop}</option>
          <optgroup label={words.mails}>
            {facts.mails.map((one) => (
              <option key={one.path} value={one.path}>
                {one.title}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <fieldset className="editor-modes">
        <legend className="screen-reader-text">{words.pickHint}</legend>
        <label title={words.pickHint}>
          <input type="radio" name="mode" checked={picking} onChange={() => onMode(true)} />
          <span>{words.pick}</span>
        </label>
        <label title={words.browseHint}>
          <input type="radio" name="mode" checked={!picking} onChange={() => onMode(false)} />
          <span>{words.browse}</span>
        </label>
      </fieldset>
      <span className="editor-progress">
        <meter min={0} max={100} value={language.done} aria-hidden="true" />
        {words.progress.replace('%s', () => `${language.done}\u00a0%`)}
      </span>
      <nav className="editor-links">
        <a href={editorUrls.texts({ language: language.tag })}>{words.allTexts}</a>
        <a href={mail ? '/' : path}>{words.backToShop}</a>
      </nav>
    </header>
  )
}
