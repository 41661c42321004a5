import { useContext } from 'react'
import { pathIn, type ShopLanguage } from '#contract/translation/languages.ts'
import { classNames } from '../shared/class-names.ts'
import { LanguagesPlaceholderContext, languagesPlaceholder, PlaceholderPart } from '../shared/placeholders.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { Flag, flagOf } from './flag.tsx'
import { usePageAddresses } from './page-addresses.tsx'

/** Language names and links are never for a translator, whoever's it is. */
const untouched = { translate: 'no', 'data-no-translation': '' } as const

/** The languages behind a button that names the present one; a list that opens without scripts. */
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

/** In a corner of the window, where the merchant wants it. */
export function FloatingLanguages() {
  const { floating } = useShop().switcher
  return floating === 'none' ? null : <LanguageMenu className={`languages--floating languages--${floating}`} />
}

/** All languages at once. */
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

/** The page that is shown, in each language. */
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
              // It leads nowhere, but is one of them.
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

/** The present language. A flag is of a country and says nothing alone: the name is there at least to be heard. */
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
 * Offers the language that this visitor's browser asks for. What pages say is the same for everybody: a script knows whether
 * there is anything to offer, and finds the words of that language in the data.
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
