import { ownLanguage } from '#contract/translation/languages.ts'
import type { WrittenIn } from '#shop/content/home-facts.ts'
import type { Application } from '../operations/startup/application.ts'

/** Returns the language of a static page that is not translated into that of the view; null if it is. */
export function writtenIn(
  { languages, language }: Pick<Application, 'languages' | 'language'>,
  page: { readonly language: string | null },
): WrittenIn | null {
  const own = ownLanguage(languages())
  return page.language !== null || language.tag === own.tag ? null : { lang: own.tag, dir: own.dir }
}
