import { urls } from '#contract/urls.ts'
import type { CategoryFacts } from '#shop/catalog-facts.ts'
import { CartCount, MiniCart } from './mini-cart.tsx'
import { useShop } from './shop-context.tsx'

/** Name, categories, search and cart: the same bytes for every visitor. */
export function SiteHeader() {
  const { name, t } = useShop()
  return (
    <header className="site-header" id="masthead">
      <div className="site-header__bar">
        <details className="site-menu">
          <summary>
            <MenuIcon />
            <span>{t('Menu')}</span>
          </summary>
          <nav aria-label={t('Menu')}>
            <MenuList />
          </nav>
        </details>
        <a className="site-name" href={urls.home()} rel="home">
          {name}
        </a>
        <search className="site-search">
          <form className="woocommerce-product-search" action={urls.home()} method="get">
            <label className="screen-reader-text" htmlFor="site-search">
              {t('Search for:')}
            </label>
            <input type="search" id="site-search" name="s" placeholder={t('Search')} autoComplete="off" />
            <input type="hidden" name="post_type" value="product" />
            <button type="submit" aria-label={t('Search')}>
              <SearchIcon />
            </button>
          </form>
        </search>
        <a
          className="cart-contents"
          href={urls.cart()}
          aria-controls="mini-cart"
          data-toggle-target="#mini-cart"
          data-set-focus="#mini-cart .drawer-close"
        >
          <CartIcon />
          <span className="cart-contents__label">{t('Cart')}</span> <CartCount count={null} />
        </a>
      </div>
      <nav className="site-nav" aria-label={t('Shop by category')}>
        <MenuList />
      </nav>
    </header>
  )
}

/**
 * The cart beside the page. Not a modal dialog and not in the top layer: the provider's own overlay must be able
 * to stand above it. Its content comes with the cart fragments; without scripts the header's link leads to the cart.
 */
export function MiniCartDrawer() {
  const { t } = useShop()
  return (
    <div id="mini-cart" className="drawer" role="dialog" aria-label={t('Cart')} tabIndex={-1} hidden>
      <div className="drawer-inner widget woocommerce widget_shopping_cart">
        <div className="drawer-header">
          <h2>{t('Cart')}</h2>
          <button type="button" className="drawer-close" aria-label={t('Close cart')} data-toggle-target="#mini-cart">
            ×
          </button>
        </div>
        <MiniCart cart={null} />
      </div>
    </div>
  )
}

function MenuList() {
  const { menu, t } = useShop()
  const tops = menu.filter((category) => !menu.some((other) => other.id === category.parentId))
  return (
    <ul>
      <li>
        <a href={urls.shop()}>{t('All products')}</a>
      </li>
      {tops.map((category) => (
        <MenuItem key={category.id} category={category} inside={menu.filter((one) => one.parentId === category.id)} />
      ))}
    </ul>
  )
}

function MenuItem({ category, inside }: { category: CategoryFacts; inside: readonly CategoryFacts[] }) {
  const { t } = useShop()
  return (
    <li className={inside.length > 0 ? 'menu-item-has-children' : undefined}>
      <a href={category.url}>{category.name}</a>
      {inside.length > 0 && (
        <details name="sub-menu">
          <summary aria-label={t('Submenu of %s', category.name)} />
          <ul className="sub-menu">
            {inside.map((child) => (
              <li key={child.id}>
                <a href={child.url}>{child.name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function MenuIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 8h18M3 16h18" />
    </svg>
  )
}

function SearchIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="m15.5 15.5 5 5" />
    </svg>
  )
}

function CartIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 8h14l1 13H4L5 8Zm4 3V7a3 3 0 0 1 6 0v4" />
    </svg>
  )
}
