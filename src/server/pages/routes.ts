import { urls } from '#contract/urls.ts'
import { addressDataFile } from '../address-script.ts'
import type { IdentityPolicy } from '../call.ts'
import { metricsAnswer } from '../metrics.ts'
import { publicFile } from '../static-files.ts'
import { themeFileAnswer, themeSheetAnswer } from '../theme-sheet.ts'
import type { Visit } from '../visit.ts'
import { widthSheetAnswer } from '../width-sheets.ts'
import { addPaymentMethodForm, addPaymentMethodPage, methodKept, methodNotKept } from './account/add-payment-method.tsx'
import { confirmEmailForm, confirmEmailPage } from './account/confirm-email.tsx'
import { logInForm, logOutPage } from './account/log-in.tsx'
import { lostPasswordForm, lostPasswordPage } from './account/lost-password.tsx'
import { followOrderLink } from './account/order-links.ts'
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
} from './account/own-pages.tsx'
import { privacyForm, privacyPage } from './account/privacy.tsx'
import { deletePaymentMethod, paymentMethodsPage, setDefaultPaymentMethod } from './account/saved-methods.tsx'
import { secondFactorForm, secondFactorPage } from './account/second-factor.tsx'
import { cartPage } from './cart.tsx'
import { cartForm } from './cart-form.ts'
import { categoryPage, homePage, productPage, shopPage, tagPage } from './catalog.tsx'
import { checkoutForm, checkoutPage } from './checkout.tsx'
import { contentAddress, contentPage } from './content.tsx'
import { chooseCurrency } from './currency.ts'
import { downloadPage } from './download.tsx'
import { editorMailPage, editorPage } from './editor.tsx'
import { textsForm, textsPage } from './editor-texts.tsx'
import { findabilityRoutes } from './findability.ts'
import { orderPayForm, orderPayPage } from './order-pay.tsx'
import { orderReceivedPage } from './order-received.tsx'
import { productForm } from './product-form.ts'
import { searchSuggestions } from './search-suggestions.tsx'
import { speculationRules } from './speculation-rules.ts'
import { statisticsPage } from './statistics.tsx'
import { walletCancel, walletReturn, walletStart } from './wallet.ts'

/** Who is answered with more than an error or a way to log in, and how that is known. Held by tests/security/access-matrix. */
export type PageIdentity =
  /** Whoever has logged in, about the account's own things. */
  | 'customer'
  /** Whoever knows the secret in the address, which was told to its owner alone. */
  | 'link'
  | Extract<IdentityPolicy, 'anyone' | 'own-session' | 'translator' | 'shop-manager' | 'order-key'>

export type PageRoute = {
  method: 'GET' | 'POST'
  path: string
  identity: PageIdentity
  answer: (visit: Visit, params: Record<string, string>) => Promise<Response>
}

const route =
  (method: PageRoute['method']) =>
  (path: string, identity: PageIdentity, answer: PageRoute['answer']): PageRoute => ({ method, path, identity, answer })
const get = route('GET')
const post = route('POST')

/** Every page and form of the shop. Addresses for links are in `contract/urls.ts`. */
export const pageRoutes: readonly PageRoute[] = [
  get('/', 'anyone', homePage),
  get('/shop/', 'anyone', shopPage),
  get('/shop/page/:page{[0-9]+}/', 'anyone', shopPage),
  get('/product-category/*', 'anyone', categoryPage),
  get('/product-tag/:tag/', 'anyone', tagPage),
  get('/product-tag/:tag/page/:page{[0-9]+}/', 'anyone', tagPage),
  get('/search-suggestions/', 'anyone', searchSuggestions),
  get('/product/:slug/', 'anyone', productPage),
  post('/product/:slug/', 'own-session', productForm),
  get('/cart/', 'own-session', async (visit) => (await followOrderLink(visit)) ?? cartPage(visit)),
  post('/cart/', 'own-session', cartForm),
  post(urls.currency(), 'own-session', chooseCurrency),
  get('/checkout/', 'own-session', checkoutPage),
  post('/checkout/', 'own-session', checkoutForm),
  post('/checkout/wallet-start/', 'own-session', walletStart),
  get('/checkout/wallet-return/', 'own-session', walletReturn),
  get('/checkout/wallet-cancel/', 'own-session', walletCancel),
  get('/checkout/order-received/:id/', 'order-key', orderReceivedPage),
  post('/checkout/order-received/:id/', 'order-key', orderReceivedPage),
  get('/checkout/order-pay/:id/', 'order-key', orderPayPage),
  post('/checkout/order-pay/:id/', 'order-key', orderPayForm),
  get('/download/:token/', 'link', downloadPage),
  get('/my-account/', 'customer', dashboardPage),
  post('/my-account/', 'own-session', logInForm),
  get('/my-account/orders/', 'customer', ordersPage),
  get('/my-account/orders/:page{[0-9]{1,6}}/', 'customer', ordersPage),
  get('/my-account/view-order/:id{[0-9]{1,15}}/', 'customer', viewOrderPage),
  get('/my-account/downloads/', 'customer', downloadsPage),
  get('/my-account/edit-address/', 'customer', addressesPage),
  get('/my-account/edit-address/:kind{billing|shipping}/', 'customer', addressFormPage),
  post('/my-account/edit-address/:kind{billing|shipping}/', 'customer', addressFormPost),
  get('/my-account/edit-account/', 'customer', accountDetailsPage),
  post('/my-account/edit-account/', 'customer', accountDetailsPost),
  get('/my-account/confirm-email/', 'customer', confirmEmailPage),
  post('/my-account/confirm-email/', 'customer', confirmEmailForm),
  get('/my-account/payment-methods/', 'customer', paymentMethodsPage),
  get('/my-account/add-payment-method/', 'customer', addPaymentMethodPage),
  post('/my-account/add-payment-method/', 'customer', addPaymentMethodForm),
  get('/pay/kept/', 'own-session', methodKept),
  get('/pay/not-kept/', 'own-session', methodNotKept),
  get('/my-account/delete-payment-method/:id{[0-9]{1,15}}/', 'customer', deletePaymentMethod),
  get('/my-account/set-default-payment-method/:id{[0-9]{1,15}}/', 'customer', setDefaultPaymentMethod),
  get('/my-account/privacy/', 'customer', privacyPage),
  post('/my-account/privacy/', 'customer', privacyForm),
  get('/my-account/second-factor/', 'customer', secondFactorPage),
  post('/my-account/second-factor/', 'customer', secondFactorForm),
  get('/my-account/lost-password/', 'own-session', lostPasswordPage),
  post('/my-account/lost-password/', 'own-session', lostPasswordForm),
  get('/my-account/customer-logout/', 'own-session', logOutPage),
  get('/translate/', 'translator', editorPage),
  get('/translate/texts/', 'translator', textsPage),
  post('/translate/texts/', 'translator', textsForm),
  get('/translate/mail/:kind{[a-z_]+}/', 'translator', editorMailPage),
  get('/statistics/', 'shop-manager', statisticsPage),
  get('/address-data/:name{[0-9a-f]{32}\\.json}', 'anyone', addressDataFile),
  ...findabilityRoutes,
  get('/theme/:name{[0-9a-f]{32}\\.css}', 'anyone', ({ app }, { name = '' }) =>
    themeSheetAnswer(app, name.slice(0, 32)),
  ),
  get(
    '/theme/:widths{[0-9]+-[0-9]+}/:name{(?:main|languages)-[\\w-]+\\.css}',
    'anyone',
    ({ app, request }, { widths = '', name = '' }) => widthSheetAnswer(app, request, widths, name),
  ),
  get('/theme/:name{[0-9a-f]{64}\\.(?:svg|png|webp|woff2)}', 'anyone', ({ app, request }, { name = '' }) =>
    themeFileAnswer(app, request, name),
  ),
  get('/cards/:name{[a-z]+\\.svg}', 'anyone', ({ app, request }, { name = '' }) =>
    publicFile(app, request, `cards/${name}`),
  ),
  get(urls.speculationRules(), 'anyone', speculationRules),
  get('/metrics', 'anyone', metricsAnswer),
  // Last: what is none of the shop's own addresses may be a page of the content folder.
  get('/:slug{[a-z0-9-]+}/', 'anyone', contentPage),
  get('/:slug{[a-z0-9-]+}', 'anyone', contentAddress),
]
