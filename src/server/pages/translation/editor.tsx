import { mailKinds } from '#contract/mail/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { type EditorFacts, editorNonces, editorUrls } from '#contract/translation/editor.ts'
import { languagesOf, ownLanguage, splitPath } from '#contract/translation/languages.ts'
import { canSuggest } from '#shop/translation/machine/suggest-translation.ts'
import { EditorShell } from '#web/editor/editor-shell.tsx'
import { editorWords } from '#web/editor/editor-words.ts'
import { composeMail } from '#web/mails/compose-mail.tsx'
import { isMailKind, sampleMail } from '#web/mails/mail-samples.ts'
import { requireRole } from '../customers/require-role.ts'
import { errorPage } from '../shared/error-page.tsx'
import { editorAnswer, languagesForEditor } from './editor-answer.tsx'

/** Answers with the shop in a frame, beside the translation of the text selected in it. */
export const editorPage = requireRole('translator', async (visit) => {
  const { app, url } = visit
  const { tools } = app
  const shop = await app.shop()
  const words = editorWords(shop.t)
  const languages = await languagesForEditor(visit)
  const own = ownLanguage(languagesOf(tools.settings))
  const asked = url.searchParams.get('language')
  const language =
    languages.find(({ tag }) => tag === asked) ?? languages.find(({ slug }) => slug !== '') ?? languages[0]
  const samples = mailKinds.map((kind) => ({
    path: editorUrls.mail(kind),
    title: composeMail(shop, sampleMail(shop, kind, tools.publicUrl), tools.settings.mail.messages[kind]).subject,
  }))
  const facts: EditorFacts = {
    languages,
    language: language?.tag ?? '',
    own: { tag: own.tag, dir: own.dir },
    path: pathOfShop(url.searchParams.get('path'), visit.app.languages()),
    nonce: await visit.nonce(editorNonces.calls),
    key: await visit.nonce(editorNonces.frame),
    ajaxUrl: urls.adminAjax,
    machine: canSuggest(tools),
    mails: samples,
  }
  return editorAnswer(visit, {
    title: words.title,
    part: 'page',
    facts: { editor: facts, words },
    element: <EditorShell words={words} ready={languages.length > 0} />,
  })
})

/**
 * Answers with a preview of an email in the editor's frame. Its data are invented, so that no customer's data are
 * shown.
 */
export const editorMailPage = requireRole('translator', async (visit, _, { kind = '' }) => {
  if (!isMailKind(kind)) return errorPage(visit, 404)
  const shop = await visit.app.shop()
  const { tools } = visit.app
  const content = sampleMail(shop, kind, tools.publicUrl)
  const { html } = composeMail(shop, content, { ...tools.settings.mail.messages[kind], format: 'html' })
  if (html === null) return errorPage(visit, 404)
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'X-Frame-Options': 'DENY',
      // Mail programs support styles in attributes alone, so an email has all of its styles there.
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
})

/** Returns a path of the shop without its language. Anything else becomes the front page. */
function pathOfShop(asked: string | null, languages: ReturnType<typeof languagesOf>): string {
  if (!asked?.startsWith('/') || asked.startsWith('//') || /[\\\p{Cc}]/u.test(asked) || asked.length > 2000) return '/'
  const { path } = splitPath(languages, asked)
  return path.startsWith('/translate/') && !path.startsWith(editorUrls.mail('').slice(0, -1)) ? '/' : path
}
