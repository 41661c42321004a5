/** Every address of the shop. Links are built here, never by hand. All are paths of the shop's own origin. */
export const urls = {
  home: () => '/',
  shop: (query?: Query) => withQuery('/shop/', query),
  shopPage: (page: number, query?: Query) => withQuery(page > 1 ? `/shop/page/${page}/` : '/shop/', query),
  search: (term: string, query?: Query) => withQuery('/', { s: term, post_type: 'product', ...query }),
  /** Returns the URL of the search suggestions for `term`, as markup to show under a search field. */
  searchSuggestions: (term?: string) => withQuery('/search-suggestions/', term === undefined ? {} : { term }),
  category: (path: string, query?: Query) => withQuery(`/product-category/${path}/`, query),
  tag: (slug: string, query?: Query) => withQuery(`/product-tag/${slug}/`, query),
  product: (slug: string, query?: Query) => withQuery(`/product/${slug}/`, query),
  /** Where the form is posted that chooses the currency of the prices. */
  currency: () => '/currency/',
  cart: (query?: Query) => withQuery('/cart/', query),
  checkout: (query?: Query) => withQuery('/checkout/', query),
  orderReceived: (id: number, key: string) => withQuery(`/checkout/order-received/${id}/`, { key }),
  orderPay: (id: number, key: string) => withQuery(`/checkout/order-pay/${id}/`, { pay_for_order: 'true', key }),
  /** Where the provider sends a shopper whose browser runs no script, or whose window was turned into a redirect. */
  walletReturn: () => '/checkout/wallet-return/',
  walletCancel: () => '/checkout/wallet-cancel/',
  /** Wallet payment from the cart or a product without scripts: a form post that answers with a redirect to the provider. */
  walletStart: () => '/checkout/wallet-start/',
  /** A file that was bought. The token is the whole secret. */
  download: (token: string) => `/download/${token}/`,
  account: (query?: Query) => withQuery('/my-account/', query),
  orders: (page = 1) => (page > 1 ? `/my-account/orders/${page}/` : '/my-account/orders/'),
  viewOrder: (id: number) => `/my-account/view-order/${id}/`,
  addresses: () => '/my-account/edit-address/',
  editAddress: (kind: 'billing' | 'shipping') => `/my-account/edit-address/${kind}/`,
  editAccount: () => '/my-account/edit-account/',
  downloads: () => '/my-account/downloads/',
  paymentMethods: () => '/my-account/payment-methods/',
  addPaymentMethod: () => '/my-account/add-payment-method/',
  /** Return addresses of a visitor who approved, or declined, saving a payment method. The key identifies the attempt. */
  methodKept: (key: string) => withQuery('/pay/kept/', { key }),
  methodNotKept: (key: string) => withQuery('/pay/not-kept/', { key }),
  deletePaymentMethod: (id: number, nonce: string) =>
    withQuery(`/my-account/delete-payment-method/${id}/`, { _wpnonce: nonce }),
  setDefaultPaymentMethod: (id: number, nonce: string) =>
    withQuery(`/my-account/set-default-payment-method/${id}/`, { _wpnonce: nonce }),
  /** Where the customer is logged in, and what the shop holds about the customer. */
  privacy: () => '/my-account/privacy/',
  secondFactor: (query?: Query) => withQuery('/my-account/second-factor/', query),
  /** The emailed link that verifies the reader's address. */
  confirmEmail: (query?: Query) => withQuery('/my-account/confirm-email/', query),
  lostPassword: (query?: Query) => withQuery('/my-account/lost-password/', query),
  logOut: (nonce: string) => withQuery('/my-account/customer-logout/', { _wpnonce: nonce }),
  page: (slug: string) => `/${slug}/`,
  wcAjax: (endpoint: string) => `/?wc-ajax=${endpoint}`,
  wcAjaxTemplate: '/?wc-ajax=%%endpoint%%',
  adminAjax: '/wp-admin/admin-ajax.php',
  rest: (route: string) => `/wp-json/${route}`,
  restUser: (id: number) => `/wp-json/wp/v2/users/${id}`,
  paypalRest: (route: string) => `/wp-json/wc-ppcp/v1/${route}`,
  /** Where the provider asks what shipping elsewhere, or otherwise, would cost. The token is the whole secret. */
  shippingCallback: (token: string) => `/wp-json/wc-ppcp/v1/shipping-callback/${token}`,
  paypalWebhook: () => '/wp-json/wc-ppcp/v1/webhook',
  /** Rules and states of the countries that the shop offers, for scripts. */
  addressData: (hash: string) => `/address-data/${hash}.json`,
  media: (hash: string, width: number, format: 'avif' | 'webp') => `/media/${hash}-${width}.${format}`,
  /** Returns the URL of a page's share image; the digest covers the whole content of the image. */
  sharePicture: (digest: string) => `/media/share-${digest}.jpg`,
  sitemap: () => '/sitemap.xml',
  /** `products-3`, `categories`, `pages` */
  sitemapPart: (name: string) => `/sitemap-${name}.xml`,
  /** Returns the URL of the Atom feed of new products. */
  feed: () => '/feed/',
  manifest: () => '/site.webmanifest',
  icon: (file: string) => `/${file}`,
  speculationRules: () => '/speculation-rules.json',
  /** The merchant's own tokens and letters, and the files that they name; each address holds the digest of its content. */
  themeSheet: (hash: string) => `/theme/${hash}.css`,
  /** The sheet of the build whose header changes at these widths. */
  widthSheet: (desktop: number, tablet: number, name: string) => `/theme/${desktop}-${tablet}/${name}`,
  themeFile: (hash: string, ending: 'svg' | 'png' | 'webp' | 'woff2') => `/theme/${hash}.${ending}`,
  cardIcon: (brand: string) => `/cards/${brand}.svg`,
} as const

export type Query = Readonly<Record<string, string | number>>

function withQuery(path: string, query: Query = {}): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return text ? `${path}?${text}` : path
}
