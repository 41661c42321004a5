import { type ReactNode, useContext } from 'react'
import { barHooks } from '#contract/notices/banner-hooks.ts'
import { settingsElementId } from '#contract/shared/browser-settings.ts'
import type { ConsentCategory } from '#contract/statistics/consent.ts'
import { type StatisticsScript, statsConfigId } from '#contract/statistics/statistics.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { SearchDrawer } from '../../parts/catalog/search-drawer.tsx'
import { BottomBars } from '../../parts/notices/bottom-bars.tsx'
import { Notices } from '../../parts/notices/notices.tsx'
import { PageNoticesProvider } from '../../parts/notices/page-notices.tsx'
import { classNames } from '../../parts/shared/class-names.ts'
import { Html } from '../../parts/shared/html.tsx'
import { CachedPart, PlaceholderPartsContext, placeholderMarkup } from '../../parts/shared/placeholders.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { BareFooter, BareHeader, type BareLink } from '../../parts/theme/bare-frame.tsx'
import { MenuDrawer } from '../../parts/theme/menu-drawer.tsx'
import { menuPath } from '../../parts/theme/menu-list.tsx'
import { ScrollToTop } from '../../parts/theme/scroll-to-top.tsx'
import { SiteFooter } from '../../parts/theme/site-footer.tsx'
import { MiniCartDrawer, SiteHeader } from '../../parts/theme/site-header.tsx'
import { FloatingLanguages } from '../../parts/translation/language-switcher.tsx'
import { type PageAddress, PageAddressesProvider } from '../../parts/translation/page-addresses.tsx'
import { jsonForScript } from './json-for-script.ts'
import { type AlternateLink, type PageAbout, PageHead } from './page-head.tsx'

export type FrameFacts = {
  kind:
    | 'home'
    | 'listing'
    | 'product'
    | 'cart'
    | 'checkout'
    | 'order-pay'
    | 'order-received'
    | 'account'
    | 'content'
    | 'error'
  title: string
  description: string
  /** Absolute; '' for a page without a canonical URL. */
  canonical: string
  /** The unlocalized canonical URL; default: `canonical`. */
  ownCanonical?: string
  /** The page in each language that its visitor may choose: see `usePageAddresses`. */
  addresses?: readonly PageAddress[]
  /** The page in other languages, for search engines. */
  alternates?: readonly AlternateLink[]
  /** Additional classes of this page, besides those of every page of its kind. */
  bodyClasses: readonly string[]
  robots?: string
  notices: readonly NoticeFacts[]
  /** The contents of `#vitrine-settings` for scripts. */
  settings: Readonly<Record<string, unknown>>
  /** `fonts`: preloaded, since the first lines use them. */
  assets: { css: readonly string[]; script: string; preload: readonly string[]; fonts?: readonly string[] }
  /** The measuring script, and the categories that need consent; absent where there is nothing to measure. */
  measure?: { script: string; asks: readonly ConsentCategory[] }
  /** The data of a page view; absent where visits are not counted. */
  statistics?: StatisticsScript
  /** Data for search engines and other sites. */
  about?: PageAbout
  /** The browser's theme colours, which continue the page. */
  frameColours?: { light: string; dark: string }
  /** A bar for this visitor only, below everything else. */
  footer?: ReactNode
  /** Without menus, search and cart: no other page is available. */
  bare?: readonly BareLink[]
  productIds?: readonly number[]
}

const KIND_CLASSES: Readonly<Record<FrameFacts['kind'], string>> = {
  home: 'home',
  listing: 'post-type-archive-product',
  product: 'single-product',
  cart: 'woocommerce-cart',
  checkout: 'woocommerce-checkout',
  'order-pay': 'woocommerce-checkout woocommerce-order-pay',
  'order-received': 'woocommerce-checkout woocommerce-order-received',
  account: 'woocommerce-account',
  content: 'page',
  error: 'error-page',
}

/** No other element may lie over their payment buttons. */
const payPages: ReadonlySet<FrameFacts['kind']> = new Set(['cart', 'checkout', 'order-pay'])

/** The whole page around its content. It contains no visitor data unless the page itself is private. */
export function Document({ frame, children }: { frame: FrameFacts; children: ReactNode }) {
  const { language, dir, storeNotice, menus, t } = useShop()
  const path = menuPath(menus.main, frame.ownCanonical ?? frame.canonical)
  const floats = !payPages.has(frame.kind)
  return (
    <html lang={language} dir={dir}>
      <PageHead frame={frame} />
      <body
        className={classNames(
          'woocommerce woocommerce-page woocommerce-no-js',
          KIND_CLASSES[frame.kind],
          storeNotice && barHooks.noticePageClass,
          ...frame.bodyClasses,
        )}
        data-product-ids={frame.productIds?.join(',')}
      >
        <PageAddressesProvider value={frame.addresses ?? []}>
          <a className="skip-link screen-reader-text" href="#main">
            {t('Skip to content')}
          </a>
          {frame.bare ? (
            <BareHeader />
          ) : (
            <CachedPart name={`header ${path}`}>
              <SiteHeader path={path} />
            </CachedPart>
          )}
          <main id="main" className="site-main" tabIndex={-1}>
            <div className="woocommerce-notices-wrapper">
              <Notices notices={frame.notices} loaded />
            </div>
            <PageNoticesProvider value={frame.notices}>{children}</PageNoticesProvider>
          </main>
          {frame.bare ? (
            <BareFooter links={frame.bare} />
          ) : (
            <CachedPart name={`below ${floats} ${path}`}>
              <SiteFooter />
              <MenuDrawer path={path} />
              <SearchDrawer />
              <MiniCartDrawer />
              {floats && <FloatingLanguages />}
              {floats && <ScrollToTop />}
            </CachedPart>
          )}
          {frame.footer || frame.bare ? (
            <BottomBars quiet={frame.bare !== undefined}>{frame.footer}</BottomBars>
          ) : (
            <CachedPart name="bars">
              <BottomBars />
            </CachedPart>
          )}
        </PageAddressesProvider>
        <Settings settings={frame.settings} />
        {frame.statistics && (
          <Html as="script" type="application/json" id={statsConfigId} html={jsonForScript(frame.statistics)} />
        )}
      </body>
    </html>
  )
}

/** Settings for scripts, which find them by id. */
function Settings({ settings }: Pick<FrameFacts, 'settings'>) {
  const standIns = useContext(PlaceholderPartsContext)
  const html = standIns ? placeholderMarkup(standIns.settings(settings)) : jsonForScript(settings)
  return <Html as="script" type="application/json" id={settingsElementId} html={html} />
}
