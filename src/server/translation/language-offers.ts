import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Application } from '../operations/startup/application.ts'

type Offers = ShopContextValue['switcher']['offers']

/**
 * Returns the offer of each published language to its readers; empty if offers are disabled, or there is no other
 * language.
 */
export async function languageOffers({
  tools: { settings },
  languages = () => [],
  inLanguage,
}: Pick<Application, 'tools'> & Partial<Pick<Application, 'languages' | 'inLanguage'>>): Promise<Offers> {
  const published = languages().filter((language) => language.published)
  if (!inLanguage || published.length < 2 || !settings.translation.switcher.suggest) return {}
  const offers = published.map(async (language): Promise<[string, Offers[string]]> => {
    const { t } = await inLanguage(language.tag).tools.translator()
    return [language.tag, [t('View this page in %s', nameInText(language)), t('Dismiss')]]
  })
  return Object.fromEntries(await Promise.all(offers))
}

/** Returns a language's own name as written within a sentence: `français`, where a list has `Français`. */
function nameInText({ tag, name }: ShopLanguage): string {
  const inText = new Intl.DisplayNames([tag], { type: 'language' }).of(new Intl.Locale(tag).language)
  return inText?.toLocaleLowerCase(tag) === name.toLocaleLowerCase(tag) ? inText : name
}
