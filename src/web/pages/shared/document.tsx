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
  /** Absolute; '' for a page that has no address of its own. */
  canonical: string
  /** The same as the shop itself knows it, in whatever language the page is; left out: as it is. */
  ownCanonical?: string
  /** The page in each language that its visitor may choose: see `usePageAddresses`. */
  addresses?: readonly PageAddress[]
  /** What search engines are told of the page in other languages. */
  alternates?: readonly AlternateLink[]
  /** What this page adds to the classes that every page of its kind has. */
  bodyClasses: readonly string[]
  robots?: string
  notices: readonly NoticeFacts[]
  /** What the scripts read from `#vitrine-settings`. */
  settings: Readonly<Record<string, unknown>>
  /** `fonts`: loaded with the page itself, since its first lines are set in them. */
  assets: { css: readonly string[]; script: string; preload: readonly string[]; fonts?: readonly string[] }
  /** What measures, and the categories that it must ask for before; absent where there is nothing for it to do. */
  measure?: { script: string; asks: readonly ConsentCategory[] }
  /** What the page reports itself with as looked at; absent where visits are not counted. */
  statistics?: StatisticsScript
  /** What search engines and other sites are told of this page. */
  about?: PageAbout
  /** What a browser may colour its own frame with, so that the page does not end at it. */
  frameColours?: { light: string; dark: string }
  /** A bar that only this visitor sees, below everything else. */
  footer?: ReactNode
  /** Without menus, search and cart: there is nothing to go to. */
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

/** Where nothing may lie over the buttons that lead to paying. */
const payPages: ReadonlySet<FrameFacts['kind']> = new Set(['cart', 'checkout', 'order-pay'])

/** The whole page around its content. Nothing of a visitor is in it unless the page itself is private. */
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

/** For scripts, which find them by the id. */
function Settings({ settings }: Pick<FrameFacts, 'settings'>) {
  const standIns = useContext(PlaceholderPartsContext)
  const html = standIns ? placeholderMarkup(standIns.settings(settings)) : jsonForScript(settings)
  return <Html as="script" type="application/json" id={settingsElementId} html={html} />
}
