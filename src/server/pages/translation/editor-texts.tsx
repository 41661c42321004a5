import { z } from 'zod'
import { urls } from '#contract/shared/urls.ts'
import { pluralForms } from '#contract/translation/edit-translations.ts'
import { editorNonces, editorUrls } from '#contract/translation/editor.ts'
import { languagesOf, ownLanguage } from '#contract/translation/languages.ts'
import type { PluralForm, TranslationArea } from '#database/engine/schema/translation.ts'
import { approveTexts, editText, listTexts, readTexts } from '#shop/translation/edit-translations.ts'
import { editorWords } from '#web/editor/editor-words.ts'
import { type TextsFacts, TextsPage, type TextsQuery } from '#web/editor/texts-page.tsx'
import { textsWords } from '#web/editor/texts-words.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import type { Owner } from '../customers/customer-page.ts'
import { requireRole } from '../customers/require-role.ts'
import { errorPage } from '../shared/error-page.tsx'
import { editorAnswer, languagesForEditor } from './editor-answer.tsx'

/** The query of the list. Invalid values count as absent. */
const querySchema = z.object({
  language: z.string().max(35).catch(''),
  status: z.enum(['0', '1', '2', '3']).or(z.literal('')).catch(''),
  area: z.enum(['interface', 'content', 'slug']).or(z.literal('')).catch(''),
  s: z.string().max(200).catch(''),
  paged: z.coerce.number().int().min(1).max(100_000).catch(1),
})

const form = z.enum([...pluralForms, 'only']).transform((name): PluralForm => (name === 'only' ? '' : name))
const posted = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('save'),
    id: z.coerce.number().int().positive(),
    said: z.record(z.string(), z.string()),
    revision: z.record(z.string(), z.coerce.number().int().min(0)),
  }),
  z.object({ do: z.literal('approve'), approve: z.record(z.string(), z.string()).optional() }),
])

export const textsPage = requireRole('translator', (visit) => {
  const { searchParams } = visit.url
  const query = querySchema.parse(Object.fromEntries(searchParams))
  const count = (name: string) =>
    /^\d{1,15}$/.test(searchParams.get(name) ?? '') ? Number(searchParams.get(name)) : null
  return answer(visit, query, { saved: count('saved'), approved: count('approved') })
})

/** Saves one text, or approves several. */
export const textsForm = requireRole('translator', async (visit, { customerId }: Owner) => {
  const fields = await visit.fields()
  const query = querySchema.parse(fields)
  const input = posted.safeParse(fields)
  if (!(await visit.isNonce(fields.security, editorNonces.calls))) return errorPage(visit, 403)
  if (!input.success) return errorPage(visit, 400)
  const { tools } = visit.app
  const { language } = query
  if (input.data.do === 'approve') {
    const seen = new Map(
      Object.entries(input.data.approve ?? {}).map(([id, revisions]) => [Number(id), revisionsIn(revisions)]),
    )
    for (const id of seen.keys()) if (!Number.isSafeInteger(id)) seen.delete(id)
    const approved = await approveTexts(tools, { language, seen, by: customerId })
    return seeOther(editorUrls.texts({ ...query, approved }))
  }
  const { id, said, revision } = input.data
  const forms = Object.fromEntries(
    Object.entries(said).flatMap(([name, translated]) => {
      const known = form.safeParse(name)
      return known.success ? [[known.data, { translated, revision: revision[name] ?? 0 }]] : []
    }),
  )
  const empty = Object.values(said).every((text) => text.trim() === '')
  const result = await editText(tools, { id, language, forms, status: empty ? 0 : 2, by: customerId })
  if (result.ok) return seeOther(`${editorUrls.texts({ ...query, saved: id })}#text-${id}`)
  const written = Object.fromEntries(Object.entries(forms).map(([name, { translated }]) => [name, translated]))
  return answer(
    visit,
    query,
    { refused: { id, reason: result.reason, said: written } },
    result.reason === 'stale' ? 409 : 422,
  )
})

function revisionsIn(text: string): ReadonlyMap<PluralForm, number> {
  const read = z.partialRecord(z.enum(pluralForms), z.number().int()).safeParse(jsonOf(text))
  return new Map(read.success ? (Object.entries(read.data) as [PluralForm, number][]) : [])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function answer(
  visit: Visit,
  query: TextsQuery,
  about: Partial<Pick<TextsFacts, 'saved' | 'approved' | 'refused'>>,
  status = 200,
): Promise<Response> {
  const { tools } = visit.app
  const { t } = await visit.app.shop()
  const languages = await languagesForEditor(visit)
  const language = languages.find(({ tag }) => tag === query.language) ?? languages.find(({ slug }) => slug !== '')
  if (!language) return seeOther(editorUrls.editor())
  const filter = {
    language: language.tag,
    status: query.status === '' ? undefined : (Number(query.status) as 0 | 1 | 2 | 3), // valid by its schema
    area: query.area === '' ? undefined : (query.area as TranslationArea), // valid by its schema
    search: query.s.trim(),
  }
  const { texts, total, pages } = await listTexts(tools, filter, query.paged)
  // A rejected text is shown, even if it no longer matches the query.
  const refused = about.refused ?? null
  const missing = refused && !texts.some(({ id }) => id === refused.id) ? await readTexts(tools, [refused.id]) : []
  const own = ownLanguage(languagesOf(tools.settings))
  const words = editorWords(t)
  const nonce = await visit.nonce(editorNonces.calls)
  const facts: TextsFacts = {
    query: { ...query, language: language.tag },
    languages,
    language,
    own: { tag: own.tag, dir: own.dir },
    texts: [...missing, ...texts],
    total,
    pages,
    nonce,
    saved: about.saved ?? null,
    approved: about.approved ?? null,
    refused,
  }
  return editorAnswer(visit, {
    title: refused ? t('Error: %s', words.allTexts) : words.allTexts,
    part: 'texts',
    status,
    facts: {
      nonce,
      ajaxUrl: urls.adminAjax,
      language: language.tag,
      words: {
        saved: words.saved,
        failed: words.failed,
        loggedOut: words.loggedOut,
        stale: words.stale,
        refused: words.refused,
        statuses: words.statuses,
        hint: textsWords(t).hint,
      },
    },
    element: <TextsPage facts={facts} words={words} />,
  })
}
