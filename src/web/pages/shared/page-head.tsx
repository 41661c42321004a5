import { urls } from '#contract/shared/urls.ts'
import { Html } from '../../parts/shared/html.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import type { FrameFacts } from './document.tsx'
import { jsonForScript } from './json-for-script.ts'
import { rootThing, type Thing } from './structured-data.ts'

/** Data of a page for search engines and other sites. */
export type PageAbout = {
  /** Objects of schema.org, each an element of its own. */
  jsonLd: readonly Thing[]
  kind: 'website' | 'article' | 'product'
  /** The share image of the page. */
  picture: SharedPicture | null
  /** The page's first price, in machine-readable form. */
  price?: { amount: string; currency: string }
}

/** The page in another language, or for a region; `href` is absolute. */
export type AlternateLink = { hreflang: string; href: string }

/** `url` is absolute: other sites read it. */
export type SharedPicture = { url: string; width: number; height: number; alt: string; type: string }

/** The page's metadata for browsers, search engines and other sites. */
export function PageHead({ frame }: { frame: FrameFacts }) {
  const { name, icon, themeSheet, path, t } = useShop()
  const { about, frameColours, title } = frame
  // Screen readers start with the title, which distinguishes a rejected form from a newly opened one.
  const said = frame.notices.some(({ kind }) => kind === 'error') ? t('Error: %s', title) : title
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title === name ? said : `${said} – ${name}`}</title>
      {frame.description && <meta name="description" content={frame.description} />}
      {frame.robots && <meta name="robots" content={frame.robots} />}
      {frame.canonical && <link rel="canonical" href={frame.canonical} />}
      {frame.alternates?.map(({ hreflang, href }) => (
        <link key={hreflang} rel="alternate" hrefLang={hreflang} href={href} />
      ))}
      <meta name="color-scheme" content="light dark" />
      {frameColours && (
        <>
          <meta name="theme-color" media="(prefers-color-scheme: light)" content={frameColours.light} />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content={frameColours.dark} />
        </>
      )}
      {icon ? (
        <link rel="icon" href={icon.url} type={icon.type} />
      ) : (
        <>
          <link rel="icon" href={urls.icon('favicon.ico')} sizes="32x32" />
          <link rel="icon" href={urls.icon('favicon.svg')} type="image/svg+xml" />
          <link rel="apple-touch-icon" href={urls.icon('apple-touch-icon.png')} />
        </>
      )}
      <link rel="manifest" href={path(urls.manifest())} />
      {frame.assets.fonts?.map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {frame.assets.css.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {themeSheet && <link rel="stylesheet" href={themeSheet} />}
      {frame.assets.preload.map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
      {frame.assets.script && <script type="module" src={frame.assets.script} />}
      {frame.measure && <script type="module" src={frame.measure.script} data-asks={frame.measure.asks.join(' ')} />}
      {about && <ShareTags frame={frame} about={about} />}
      {about?.jsonLd.map((thing) => (
        <Html key={thing['@type']} as="script" type="application/ld+json" html={jsonForScript(rootThing(thing))} />
      ))}
    </head>
  )
}

/** The link preview of the page on other sites and messengers. */
function ShareTags({ frame, about }: { frame: FrameFacts; about: PageAbout }) {
  const { name, language, languages, path } = useShop()
  const { picture, price } = about
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={name} href={path(urls.feed())} />
      <meta property="og:site_name" content={name} />
      <meta property="og:locale" content={withTerritory(language)} />
      {languages
        .filter(({ tag, published }) => published && tag !== language)
        .map(({ tag }) => (
          <meta key={tag} property="og:locale:alternate" content={withTerritory(tag)} />
        ))}
      <meta property="og:type" content={about.kind} />
      <meta property="og:title" content={frame.title} />
      {frame.description && <meta property="og:description" content={frame.description} />}
      {frame.canonical && <meta property="og:url" content={frame.canonical} />}
      {picture && (
        <>
          <meta property="og:image" content={picture.url} />
          <meta property="og:image:type" content={picture.type} />
          <meta property="og:image:width" content={String(picture.width)} />
          <meta property="og:image:height" content={String(picture.height)} />
          <meta property="og:image:alt" content={picture.alt} />
        </>
      )}
      {price && (
        <>
          <meta property="product:price:amount" content={price.amount} />
          <meta property="product:price:currency" content={price.currency} />
        </>
      )}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
    </>
  )
}

/** Returns a language in the format of other sites: with the country where it is mostly spoken. */
function withTerritory(tag: string): string {
  const known = territories.get(tag)
  if (known !== undefined) return known
  const { language, region } = new Intl.Locale(tag).maximize()
  const made = `${language}_${region ?? language.toUpperCase()}`
  territories.set(tag, made)
  return made
}

const territories = new Map<string, string>()
