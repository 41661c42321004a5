import type { ReactNode } from 'react'
import { settingsElementId } from '#contract/browser-settings.ts'
import type { NoticeFacts } from '#shop/cart-facts.ts'
import { classNames } from '../parts/class-names.ts'
import { Html } from '../parts/html.tsx'
import { Notices } from '../parts/notices.tsx'
import { useShop } from '../parts/shop-context.tsx'
import { SiteFooter } from '../parts/site-footer.tsx'
import { MiniCartDrawer, SiteHeader } from '../parts/site-header.tsx'

export type FrameFacts = {
  kind: 'home' | 'listing' | 'product' | 'cart' | 'checkout' | 'order-received' | 'content' | 'error'
  title: string
  description: string
  /** Absolute; '' for a page that has no address of its own. */
  canonical: string
  /** What this page adds to the classes that every page of its kind has. */
  bodyClasses: readonly string[]
  robots?: string
  notices: readonly NoticeFacts[]
  /** What the scripts read from `#vitrine-settings`. */
  settings: Readonly<Record<string, unknown>>
  assets: { css: readonly string[]; script: string; preload: readonly string[] }
  productIds?: readonly number[]
}

const KIND_CLASSES: Readonly<Record<FrameFacts['kind'], string>> = {
  home: 'home',
  listing: 'post-type-archive-product',
  product: 'single-product',
  cart: 'woocommerce-cart',
  checkout: 'woocommerce-checkout',
  'order-received': 'woocommerce-checkout woocommerce-order-received',
  content: 'page',
  error: 'error-page',
}

/** The whole page around its content. Nothing of a visitor is in it unless the page itself is private. */
export function Document({ frame, children }: { frame: FrameFacts; children: ReactNode }) {
  const { language, dir, name, t } = useShop()
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{frame.title === name ? name : `${frame.title} – ${name}`}</title>
        {frame.description && <meta name="description" content={frame.description} />}
        {frame.robots && <meta name="robots" content={frame.robots} />}
        {frame.canonical && <link rel="canonical" href={frame.canonical} />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {frame.assets.css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {frame.assets.preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} />
        ))}
        {frame.assets.script && <script type="module" src={frame.assets.script} />}
      </head>
      <body
        className={classNames(
          'woocommerce woocommerce-page woocommerce-no-js',
          KIND_CLASSES[frame.kind],
          ...frame.bodyClasses,
        )}
        data-product-ids={frame.productIds?.join(',')}
      >
        <a className="skip-link screen-reader-text" href="#main">
          {t('Skip to content')}
        </a>
        <SiteHeader />
        <main id="main" className="site-main" tabIndex={-1}>
          <div className="woocommerce-notices-wrapper">
            <Notices notices={frame.notices} />
          </div>
          {children}
        </main>
        <SiteFooter />
        <MiniCartDrawer />
        <Html as="script" type="application/json" id={settingsElementId} html={jsonForScript(frame.settings)} />
      </body>
    </html>
  )
}

/** JSON that cannot end the script element it stands in, nor open a comment in it. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
