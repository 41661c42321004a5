import { urls } from '#contract/urls.ts'
import { addressDataFile } from '../address-script.ts'
import { measure, metrics } from '../metrics.ts'
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

export type PageRoute = {
  method: 'GET' | 'POST'
  path: string
  answer: (visit: Visit, params: Record<string, string>) => Promise<Response>
}

const get = (path: string, answer: PageRoute['answer']): PageRoute => ({ method: 'GET', path, answer })
const post = (path: string, answer: PageRoute['answer']): PageRoute => ({ method: 'POST', path, answer })

/** Every page and form of the shop. Addresses for links are in `contract/urls.ts`. */
export const pageRoutes: readonly PageRoute[] = [
  get('/', homePage),
  get('/shop/', shopPage),
  get('/shop/page/:page{[0-9]+}/', shopPage),
  get('/product-category/*', categoryPage),
  get('/product-tag/:tag/', tagPage),
  get('/product-tag/:tag/page/:page{[0-9]+}/', tagPage),
  get('/search-suggestions/', searchSuggestions),
  get('/product/:slug/', productPage),
  post('/product/:slug/', productForm),
  get('/cart/', async (visit) => (await followOrderLink(visit)) ?? cartPage(visit)),
  post('/cart/', cartForm),
  post(urls.currency(), chooseCurrency),
  get('/checkout/', checkoutPage),
  post('/checkout/', checkoutForm),
  post('/checkout/wallet-start/', walletStart),
  get('/checkout/wallet-return/', walletReturn),
  get('/checkout/wallet-cancel/', walletCancel),
  get('/checkout/order-received/:id/', orderReceivedPage),
  post('/checkout/order-received/:id/', orderReceivedPage),
  get('/checkout/order-pay/:id/', orderPayPage),
  post('/checkout/order-pay/:id/', orderPayForm),
  get('/download/:token/', downloadPage),
  get('/my-account/', dashboardPage),
  post('/my-account/', logInForm),
  get('/my-account/orders/', ordersPage),
  get('/my-account/orders/:page{[0-9]{1,6}}/', ordersPage),
  get('/my-account/view-order/:id{[0-9]{1,15}}/', viewOrderPage),
  get('/my-account/downloads/', downloadsPage),
  get('/my-account/edit-address/', addressesPage),
  get('/my-account/edit-address/:kind{billing|shipping}/', addressFormPage),
  post('/my-account/edit-address/:kind{billing|shipping}/', addressFormPost),
  get('/my-account/edit-account/', accountDetailsPage),
  post('/my-account/edit-account/', accountDetailsPost),
  get('/my-account/confirm-email/', confirmEmailPage),
  post('/my-account/confirm-email/', confirmEmailForm),
  get('/my-account/payment-methods/', paymentMethodsPage),
  get('/my-account/add-payment-method/', addPaymentMethodPage),
  post('/my-account/add-payment-method/', addPaymentMethodForm),
  get('/pay/kept/', methodKept),
  get('/pay/not-kept/', methodNotKept),
  get('/my-account/delete-payment-method/:id{[0-9]{1,15}}/', deletePaymentMethod),
  get('/my-account/set-default-payment-method/:id{[0-9]{1,15}}/', setDefaultPaymentMethod),
  get('/my-account/privacy/', privacyPage),
  post('/my-account/privacy/', privacyForm),
  get('/my-account/lost-password/', lostPasswordPage),
  post('/my-account/lost-password/', lostPasswordForm),
  get('/my-account/customer-logout/', logOutPage),
  get('/translate/', editorPage),
  get('/translate/texts/', textsPage),
  post('/translate/texts/', textsForm),
  get('/translate/mail/:kind{[a-z_]+}/', editorMailPage),
  get('/statistics/', statisticsPage),
  get('/address-data/:name{[0-9a-f]{32}\\.json}', addressDataFile),
  ...findabilityRoutes,
  get('/theme/:name{[0-9a-f]{32}\\.css}', ({ app }, { name = '' }) => themeSheetAnswer(app, name.slice(0, 32))),
  get(
    '/theme/:widths{[0-9]+-[0-9]+}/:name{(?:main|languages)-[\\w-]+\\.css}',
    ({ app, request }, { widths = '', name = '' }) => widthSheetAnswer(app, request, widths, name),
  ),
  get('/theme/:name{[0-9a-f]{64}\\.(?:svg|png|webp|woff2)}', ({ app, request }, { name = '' }) =>
    themeFileAnswer(app, request, name),
  ),
  get('/cards/:name{[a-z]+\\.svg}', ({ app, request }, { name = '' }) => publicFile(app, request, `cards/${name}`)),
  get(urls.speculationRules(), speculationRules),
  get('/metrics', async ({ app }) => {
    // What the process counts by itself is told while the database is away, too.
    await measure(app.tools).catch((error: unknown) =>
      app.tools.log.warn({ error: String(error) }, 'not all was measured'),
    )
    return new Response(await metrics.metrics(), { headers: { 'Content-Type': metrics.contentType } })
  }),
  // Last: what is none of the shop's own addresses may be a page of the content folder.
  get('/:slug{[a-z0-9-]+}/', contentPage),
  get('/:slug{[a-z0-9-]+}', contentAddress),
]
