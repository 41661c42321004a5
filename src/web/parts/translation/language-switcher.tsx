import { useContext } from 'react'
import { pathIn, type ShopLanguage } from '#contract/translation/languages.ts'
import { classNames } from '../shared/class-names.ts'
import { LanguagesPlaceholderContext, languagesPlaceholder, PlaceholderPart } from '../shared/placeholders.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { Flag, flagOf } from './flag.tsx'
import { usePageAddresses } from './page-addresses.tsx'

/** Translators of any kind must not change language names and links. */
const untouched = { translate: 'no', 'data-no-translation': '' } as const

/** The languages behind a button with the current one; a list that opens without scripts. */
export function LanguageMenu({ className }: { className?: string }) {
  const { languages, language, t } = useShop()
  const current = languages.find(({ tag }) => tag === language)
  if (languages.length < 2 || !current) return null
  return (
    <nav className={classNames('languages', className)} aria-label={t('Choose a language')} data-languages="">
      <details name="languages">
        <summary {...untouched}>
          <Present language={current} />
        </summary>
        <LanguageList />
      </details>
    </nav>
  )
}

/** The switcher in a corner of the window, by the merchant's setting. */
export function FloatingLanguages() {
  const { floating } = useShop().switcher
  return floating === 'none' ? null : <LanguageMenu className={`languages--floating languages--${floating}`} />
}

/** All languages in a row. */
export function LanguageLinks({ className }: { className?: string }) {
  const { languages, t } = useShop()
  if (languages.length < 2) return null
  return (
    <nav className={classNames('language-links', className)} aria-label={t('Language')} data-languages="">
      <LanguageList />
    </nav>
  )
}

function LanguageList() {
  return useContext(LanguagesPlaceholderContext) ? <PlaceholderPart of={languagesPlaceholder} /> : <PageInLanguages />
}

/** The current page in each language. */
export function PageInLanguages() {
  const { languages, language, switcher } = useShop()
  const addresses = new Map(usePageAddresses().map(({ tag, path }) => [tag, path]))
  return (
    <ul {...untouched} className="notranslate">
      {languages.map(({ tag, slug, dir, name }) => {
        const flag = switcher.flags && <Flag tag={tag} />
        return (
          <li key={tag}>
            {tag === language ? (
              // biome-ignore lint/a11y/useValidAnchor: a placeholder for the link that it is elsewhere.
              <a lang={tag} dir={dir} aria-current="true">
                {flag}
                {name}
              </a>
            ) : (
              <a href={addresses.get(tag) ?? pathIn(slug, '/')} hrefLang={tag} lang={tag} dir={dir}>
                {flag}
                {name}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The current language. A flag stands for a country and is ambiguous: the name is at least in the accessible text. */
function Present({ language: { tag, name, dir } }: { language: ShopLanguage }) {
  const { names, flags } = useShop().switcher
  const flag = (flags || names === 'none') && flagOf(tag) ? <Flag tag={tag} /> : null
  return (
    <>
      {flag}
      {(names === 'short' || (names === 'none' && !flag)) && (
        <span aria-hidden="true">{new Intl.Locale(tag).language.toUpperCase()}</span>
      )}
      <span className={names === 'full' ? undefined : 'screen-reader-text'} lang={tag} dir={dir}>
        {name}
      </span>
    </>
  )
}

/**
 * The offer of the language that the visitor's browser prefers. The page is the same for all visitors: a script decides
 * about the offer, and finds the localized texts in the data.
 */
export function LanguageOffer() {
  const { language, switcher, t } = useShop()
  const offers = Object.entries(switcher.offers).filter(([tag]) => tag !== language)
  if (offers.length === 0) return null
  return (
    <section
      className="language-offer notranslate"
      aria-label={t('Language')}
      {...untouched}
      data-languages=""
      data-offers={JSON.stringify(Object.fromEntries(offers))}
      hidden
    />
  )
}
