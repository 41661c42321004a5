import { urls } from '#contract/shared/urls.ts'
import { addressDataFile } from '../../addresses/address-script.ts'
import type { IdentityPolicy, LoadClass } from '../../calls/shared/define-call.ts'
import { publicFile } from '../../http/static-files.ts'
import type { Visit } from '../../http/visit.ts'
import { metricsAnswer } from '../../operations/metrics/metrics.ts'
import { themeFileAnswer, themeSheetAnswer } from '../../theme/theme-stylesheet.ts'
import { widthSheetAnswer } from '../../theme/width-stylesheets.ts'
import { cartPage } from '../cart/cart.tsx'
import { cartForm } from '../cart/cart-form.ts'
import { acceptAddLink, productForm } from '../cart/product-form.ts'
import { categoryPage, homePage, productPage, shopPage, tagPage } from '../catalog/catalog.tsx'
import { searchSuggestions } from '../catalog/search-suggestions.tsx'
import { checkoutForm, checkoutPage } from '../checkout/checkout.tsx'
import { contentPage } from '../content/content.tsx'
import { findabilityRoutes } from '../content/discovery-routes.ts'
import { chooseCurrency } from '../currency/choose-currency.ts'
import {
  accountDetailsPage,
  accountDetailsPost,
  addressesPage,
  addressFormPage,
  addressFormPost,
  dashboardPage,
  downloadsPage,
  ordersPage,
  viewOrderPage,
} from '../customers/account-pages.tsx'
import { logInForm, logOutPage } from '../customers/log-in.tsx'
import { lostPasswordForm, lostPasswordPage } from '../customers/lost-password.tsx'
import { privacyForm, privacyPage } from '../customers/privacy.tsx'
import { secondFactorForm, secondFactorPage } from '../customers/second-factor.tsx'
import { confirmEmailForm, confirmEmailPage } from '../customers/verify-email.tsx'
import { downloadPage } from '../orders/download.tsx'
import { followOrderLink } from '../orders/order-links.ts'
import { orderReceivedPage } from '../orders/order-received.tsx'
import {
  addPaymentMethodForm,
  addPaymentMethodPage,
  methodKept,
  methodNotKept,
} from '../payments/add-payment-method.tsx'
import { orderPayForm, orderPayPage } from '../payments/order-pay.tsx'
import { deletePaymentMethod, paymentMethodsPage, setDefaultPaymentMethod } from '../payments/saved-methods.tsx'
import { walletCancel, walletReturn, walletStart } from '../payments/wallet.ts'
import { statisticsPage } from '../statistics/statistics.tsx'
import { editorMailPage, editorPage } from '../translation/editor.tsx'
import { textsForm, textsPage } from '../translation/editor-texts.tsx'
import { speculationRules } from './speculation-rules.ts'

/** Required identity for more than an error or a login form. Enforced by tests/security/access-matrix. */
export type PageIdentity =
  /** A logged-in customer, about the account's own data. */
  | 'customer'
  /** A visitor with the secret of the address, which only its owner received. */
  | 'link'
  /** A monitor with `METRICS_TOKEN`. */
  | 'monitor'
  | Extract<IdentityPolicy, 'anyone' | 'own-session' | 'translator' | 'shop-manager' | 'order-key'>

/** `never`: files and health checks, which cost little and are needed most under overload. */
export type PageLoad = LoadClass | 'never'

export type PageRoute = {
  method: 'GET' | 'POST'
  path: string
  identity: PageIdentity
  /** Priority for load shedding. */
  load: PageLoad
  answer: (visit: Visit, params: Record<string, string>) => Promise<Response>
}

const route =
  (method: PageRoute['method']) =>
  (path: string, identity: PageIdentity, load: PageLoad, answer: PageRoute['answer']): PageRoute => ({
    method,
    path,
    identity,
    load,
    answer,
  })
const get = route('GET')
const post = route('POST')
/** Defines a page that visitors view. Any page may show products, and accept links that add one to the cart. */
const page = (path: string, identity: PageIdentity, load: PageLoad, answer: PageRoute['answer']): PageRoute =>
  get(path, identity, load, async (visit, params) => (await acceptAddLink(visit)) ?? answer(visit, params))

/** Every page and form of the shop. Addresses of links are in `contract/shared/urls.ts`. */
export const pageRoutes: readonly PageRoute[] = [
  page('/', 'anyone', 'anonymous-page', homePage),
  page('/shop/', 'anyone', 'anonymous-page', shopPage),
  page('/shop/page/:page{[1-9][0-9]*}/', 'anyone', 'anonymous-page', shopPage),
  page('/product-category/*', 'anyone', 'anonymous-page', categoryPage),
  page('/product-tag/:tag/', 'anyone', 'anonymous-page', tagPage),
  page('/product-tag/:tag/page/:page{[1-9][0-9]*}/', 'anyone', 'anonymous-page', tagPage),
  get('/search-suggestions/', 'anyone', 'anonymous-page', searchSuggestions),
  page('/product/:slug/', 'anyone', 'anonymous-page', productPage),
  post('/product/:slug/', 'own-session', 'cart', productForm),
  page('/cart/', 'own-session', 'cart', async (visit) => (await followOrderLink(visit)) ?? cartPage(visit)),
  post('/cart/', 'own-session', 'cart', cartForm),
  post(urls.currency(), 'own-session', 'personal-page', chooseCurrency),
  page('/checkout/', 'own-session', 'checkout', checkoutPage),
  post('/checkout/', 'own-session', 'checkout', checkoutForm),
  post('/checkout/wallet-start/', 'own-session', 'checkout', walletStart),
  get('/checkout/wallet-return/', 'own-session', 'checkout', walletReturn),
  get('/checkout/wallet-cancel/', 'own-session', 'checkout', walletCancel),
  page('/checkout/order-received/:id{[1-9][0-9]{0,14}}/', 'order-key', 'checkout', orderReceivedPage),
  post('/checkout/order-received/:id{[1-9][0-9]{0,14}}/', 'order-key', 'checkout', orderReceivedPage),
  page('/checkout/order-pay/:id{[1-9][0-9]{0,14}}/', 'order-key', 'checkout', orderPayPage),
  post('/checkout/order-pay/:id{[1-9][0-9]{0,14}}/', 'order-key', 'checkout', orderPayForm),
  get('/download/:token/', 'link', 'personal-page', downloadPage),
  page('/my-account/', 'customer', 'personal-page', dashboardPage),
  post('/my-account/', 'own-session', 'personal-page', logInForm),
  page('/my-account/orders/', 'customer', 'personal-page', ordersPage),
  page('/my-account/orders/:page{[1-9][0-9]{0,5}}/', 'customer', 'personal-page', ordersPage),
  page('/my-account/view-order/:id{[1-9][0-9]{0,14}}/', 'customer', 'personal-page', viewOrderPage),
  page('/my-account/downloads/', 'customer', 'personal-page', downloadsPage),
  page('/my-account/edit-address/', 'customer', 'personal-page', addressesPage),
  page('/my-account/edit-address/:kind{billing|shipping}/', 'customer', 'personal-page', addressFormPage),
  post('/my-account/edit-address/:kind{billing|shipping}/', 'customer', 'personal-page', addressFormPost),
  page('/my-account/edit-account/', 'customer', 'personal-page', accountDetailsPage),
  post('/my-account/edit-account/', 'customer', 'personal-page', accountDetailsPost),
  get('/my-account/confirm-email/', 'customer', 'personal-page', confirmEmailPage),
  post('/my-account/confirm-email/', 'customer', 'personal-page', confirmEmailForm),
  page('/my-account/payment-methods/', 'customer', 'personal-page', paymentMethodsPage),
  page('/my-account/add-payment-method/', 'customer', 'personal-page', addPaymentMethodPage),
  post('/my-account/add-payment-method/', 'customer', 'personal-page', addPaymentMethodForm),
  get('/pay/kept/', 'own-session', 'checkout', methodKept),
  get('/pay/not-kept/', 'own-session', 'checkout', methodNotKept),
  get('/my-account/delete-payment-method/:id{[1-9][0-9]{0,14}}/', 'customer', 'personal-page', deletePaymentMethod),
  get(
    '/my-account/set-default-payment-method/:id{[1-9][0-9]{0,14}}/',
    'customer',
    'personal-page',
    setDefaultPaymentMethod,
  ),
  get('/my-account/privacy/', 'customer', 'personal-page', privacyPage),
  post('/my-account/privacy/', 'customer', 'personal-page', privacyForm),
  get('/my-account/second-factor/', 'customer', 'personal-page', secondFactorPage),
  post('/my-account/second-factor/', 'customer', 'personal-page', secondFactorForm),
  get('/my-account/lost-password/', 'own-session', 'personal-page', lostPasswordPage),
  post('/my-account/lost-password/', 'own-session', 'personal-page', lostPasswordForm),
  get('/my-account/customer-logout/', 'own-session', 'personal-page', logOutPage),
  get('/translate/', 'translator', 'personal-page', editorPage),
  get('/translate/texts/', 'translator', 'personal-page', textsPage),
  post('/translate/texts/', 'translator', 'personal-page', textsForm),
  get('/translate/mail/:kind{[a-z_]+}/', 'translator', 'personal-page', editorMailPage),
  get('/statistics/', 'shop-manager', 'personal-page', statisticsPage),
  get('/address-data/:name{[0-9a-f]{32}\\.json}', 'anyone', 'never', addressDataFile),
  ...findabilityRoutes,
  get('/theme/:name{[0-9a-f]{32}\\.css}', 'anyone', 'never', ({ app }, { name = '' }) =>
    themeSheetAnswer(app, name.slice(0, 32)),
  ),
  get(
    '/theme/:widths{[0-9]+-[0-9]+}/:name{(?:main|languages)-[\\w-]+\\.css}',
    'anyone',
    'never',
    ({ app, request }, { widths = '', name = '' }) => widthSheetAnswer(app, request, widths, name),
  ),
  get('/theme/:name{[0-9a-f]{64}\\.(?:svg|png|webp|woff2)}', 'anyone', 'never', ({ app, request }, { name = '' }) =>
    themeFileAnswer(app, request, name),
  ),
  get('/cards/:name{[a-z]+\\.svg}', 'anyone', 'never', ({ app, request }, { name = '' }) =>
    publicFile(app, request, `cards/${name}`),
  ),
  get(urls.speculationRules(), 'anyone', 'never', speculationRules),
  get('/metrics', 'monitor', 'never', metricsAnswer),
  // Last: any other address of one segment may be a static page.
  page('/:slug{[a-z0-9-]+}/', 'anyone', 'anonymous-page', contentPage),
]
