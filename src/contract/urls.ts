/** Every address of the shop. Links are built here, never by hand. All are paths of the shop's own origin. */
export const urls = {
  home: () => '/',
  shop: (query?: Query) => withQuery('/shop/', query),
  shopPage: (page: number, query?: Query) => withQuery(page > 1 ? `/shop/page/${page}/` : '/shop/', query),
  search: (term: string, query?: Query) => withQuery('/', { s: term, post_type: 'product', ...query }),
  category: (path: string, query?: Query) => withQuery(`/product-category/${path}/`, query),
  tag: (slug: string, query?: Query) => withQuery(`/product-tag/${slug}/`, query),
  product: (slug: string, query?: Query) => withQuery(`/product/${slug}/`, query),
  cart: (query?: Query) => withQuery('/cart/', query),
  checkout: (query?: Query) => withQuery('/checkout/', query),
  orderReceived: (id: number, key: string) => withQuery(`/checkout/order-received/${id}/`, { key }),
  orderPay: (id: number, key: string) => withQuery(`/checkout/order-pay/${id}/`, { pay_for_order: 'true', key }),
  /** Where the provider sends a shopper whose browser runs no script, or whose window was turned into a redirect. */
  walletReturn: () => '/checkout/wallet-return/',
  walletCancel: () => '/checkout/wallet-cancel/',
  /** The no-script way to pay by wallet from the cart or a product: a form post that answers with a redirect to the provider. */
  walletStart: () => '/checkout/wallet-start/',
  page: (slug: string) => `/${slug}/`,
  wcAjax: (endpoint: string) => `/?wc-ajax=${endpoint}`,
  wcAjaxTemplate: '/?wc-ajax=%%endpoint%%',
  adminAjax: '/wp-admin/admin-ajax.php',
  rest: (route: string) => `/wp-json/${route}`,
  paypalRest: (route: string) => `/wp-json/wc-ppcp/v1/${route}`,
  paypalWebhook: () => '/wp-json/wc-ppcp/v1/webhook',
  media: (hash: string, width: number, format: 'avif' | 'webp') => `/media/${hash}-${width}.${format}`,
} as const

export type Query = Readonly<Record<string, string | number>>

function withQuery(path: string, query: Query = {}): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return text ? `${path}?${text}` : path
}
