import { urls } from '#contract/shared/urls.ts'
import { CartCount, MiniCart } from '../cart/mini-cart.tsx'
import { SearchForm } from '../catalog/search-form.tsx'
import { CurrencySwitcher } from '../currency/currency-switcher.tsx'
import { MiniCartWalletTemplate } from '../payments/wallet-buttons.tsx'
import { classNames } from '../shared/class-names.ts'
import { AccountIcon, CartIcon, CloseIcon, MenuIcon, SearchIcon } from '../shared/icons.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'
import { LanguageMenu } from '../translation/language-switcher.tsx'
import { MenuList } from './menu-list.tsx'
import { SiteMark } from './site-mark.tsx'

/** Name, menu, search and cart: the same bytes for every visitor. Data attributes set its behaviour on scrolling. */
export function SiteHeader({ path }: { path: string }) {
  const shop = useShop()
  const { t } = shop
  const { desktop, mobile, breakPoints, scrollOffset } = shop.header
  const oneRow = menuFitsBeside(shop)
  const menu = (
    <nav className="site-nav" aria-label={t('Shop by category')}>
      <MenuList id="site-menu" path={path} />
    </nav>
  )
  // The order is decided here and not by the styles: keyboard order equals reading order.
  return (
    <header
      className={classNames('site-header', oneRow && 'site-header--one-row')}
      id="masthead"
      data-sticky-desktop={desktop.sticky}
      data-sticky-mobile={mobile.sticky}
      data-shrink-desktop={desktop.shrink ? desktop.shrinkHeight : undefined}
      data-shrink-mobile={mobile.shrink ? mobile.shrinkHeight : undefined}
      data-breakpoint={breakPoints.desktop}
      data-scroll-offset={scrollOffset || undefined}
    >
      <div className="site-header__bar">
        <div className="site-header__start">
          <LinkButton
            className="menu-toggle"
            href="#menu-drawer"
            aria-controls="menu-drawer"
            aria-haspopup="dialog"
            data-toggle-target="#menu-drawer"
            data-toggle-body-class="showing-menu-drawer"
            data-set-focus="#menu-drawer .drawer-close"
          >
            <MenuIcon />
            <span className="screen-reader-text">{t('Menu')}</span>
          </LinkButton>
          {!oneRow && <Search />}
        </div>
        <a className="site-name" href={urls.home()} rel="home" translate="no">
          <SiteMark />
        </a>
        {oneRow && menu}
        <div className="site-header__end">
          {oneRow && <Search />}
          {shop.currencyOptions?.header && <CurrencySwitcher place="header" />}
          {shop.switcher.header && <LanguageMenu className="languages--header" />}
          <a className="account-link" href={urls.account()}>
            <AccountIcon />
            <span className="screen-reader-text">{t('Account')}</span>
          </a>
          <a
            className="cart-contents"
            href={urls.cart()}
            aria-controls="mini-cart"
            data-toggle-target="#mini-cart"
            data-toggle-body-class="showing-cart-drawer"
            data-set-focus="#mini-cart .drawer-close"
          >
            <CartIcon />
            <span className="screen-reader-text">{t('Cart')}</span> <CartCount count={null} />
          </a>
        </div>
        {!oneRow && menu}
      </div>
    </header>
  )
}

function Search() {
  const { t } = useShop()
  return (
    <search className="site-search">
      <LinkButton
        className="search-toggle"
        href={urls.search('')}
        aria-controls="search-drawer"
        aria-haspopup="dialog"
        data-toggle-target="#search-drawer"
        data-toggle-body-class="showing-search-drawer"
        data-set-focus="#search-drawer .search-field"
      >
        <SearchIcon />
        <span className="screen-reader-text">{t('Search')}</span>
      </LinkButton>
      <noscript>
        <SearchForm id="site-search" placeholder={t('Search')} />
      </noscript>
    </search>
  )
}

/**
 * The cart drawer. Not a modal dialog and not in the top layer: the provider's own overlay must be able to stand above
 * it. Its content comes with the cart fragments; without scripts the header's link leads to the cart.
 */
export function MiniCartDrawer() {
  const { t } = useShop()
  return (
    <div id="mini-cart" className="drawer" role="dialog" aria-label={t('Cart')} tabIndex={-1} hidden>
      <div className="drawer-inner widget woocommerce widget_shopping_cart">
        <div className="drawer-header">
          <h2>{t('Cart')}</h2>
          <button type="button" className="drawer-close" aria-label={t('Close cart')} data-toggle-target="#mini-cart">
            <CloseIcon />
          </button>
        </div>
        <MiniCart cart={null} />
        <MiniCartWalletTemplate />
      </div>
    </div>
  )
}

/** CSS pixels of the fonts and spacing in frame.css, in the narrowest window that shows the whole header. */
const room = { page: 900, tools: 190, letterOfName: 15, letter: 7.8, entry: 30, button: 22, languages: 110 }

/**
 * Returns true if name, menu and tools fit into a row. Estimated on the server, so that nothing shifts after a
 * measurement.
 */
function menuFitsBeside({ name, logo, menus, languages, switcher }: ShopContextValue): boolean {
  const mark = logo?.width ?? name.length * room.letterOfName
  const menu = menus.main.reduce(
    (sum, { text, children }) => sum + text.length * room.letter + room.entry + (children.length > 0 ? room.button : 0),
    0,
  )
  const tools = room.tools + (switcher.header && languages.length > 1 ? room.languages : 0)
  return mark + menu + tools <= room.page
}
