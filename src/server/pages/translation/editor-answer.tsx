import type { ReactElement } from 'react'
import type { EditorLanguage } from '#contract/translation/editor.ts'
import { editedLanguages, percentDone, progressOf } from '#shop/translation/edit-translations.ts'
import { renderEditor } from '#web/editor/render-editor.tsx'
import { reportDirective } from '../../http/security/security-headers.ts'
import type { Visit } from '../../http/visit.ts'
import { staffPageHeaders } from '../shared/staff-page-headers.ts'

/** Only this shop may be in the frame, and the editor itself must not be framed. */
const policy = [
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-src 'self'",
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types vitrine",
  reportDirective,
].join('; ')

type Content = {
  readonly title: string
  readonly part: 'page' | 'texts'
  readonly facts: unknown
  readonly element: ReactElement
  readonly status?: number
}

/** Answers with a page of the editor: for its translator alone, not cached. */
export async function editorAnswer(
  visit: Visit,
  { title, part, facts, element, status = 200 }: Content,
): Promise<Response> {
  const { assets } = visit.app
  const { css, script } = assets.editor[part]
  const className = part === 'page' ? 'editor' : 'editor-texts'
  const frame = {
    title,
    css: [...assets.css, ...assets.editor.page.css, ...(part === 'texts' ? css : [])],
    script,
    facts,
    className,
  }
  return new Response(renderEditor(await visit.app.shop(), frame, element), {
    status,
    headers: staffPageHeaders(policy),
  })
}

/** Counts that cover all plural forms of a language. */
const counts = [...Array.from({ length: 101 }, (_, count) => count), 1000, 1_000_000]

export async function languagesForEditor({ app: { tools } }: Visit): Promise<readonly EditorLanguage[]> {
  const languages = editedLanguages(tools)
  const progress = await progressOf(
    tools,
    languages.map(({ tag }) => tag),
  )
  return languages.map(({ tag, slug, name, dir, published }) => {
    const rules = new Intl.PluralRules(tag)
    const { pluralCategories } = rules.resolvedOptions()
    const known = progress.get(tag)
    return {
      tag,
      slug,
      name,
      dir,
      published,
      done: known ? percentDone(known) : 0,
      plurals: pluralCategories.map((form) => ({
        form,
        example: counts.find((count) => rules.select(count) === form) ?? 1,
      })),
    }
  })
}
