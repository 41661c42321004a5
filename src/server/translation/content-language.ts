import { ownLanguage } from '#contract/translation/languages.ts'
import type { WrittenIn } from '#shop/content/home-facts.ts'
import type { Application } from '../operations/startup/application.ts'

/** The language of a page of text that is not written in the one that is spoken; null where it is. */
export function writtenIn(
  { languages, language }: Pick<Application, 'languages' | 'language'>,
  page: { readonly language: string | null },
): WrittenIn | null {
  const own = ownLanguage(languages())
  return page.language !== null || language.tag === own.tag ? null : { lang: own.tag, dir: own.dir }
}
