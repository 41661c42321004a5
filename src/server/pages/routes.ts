import { metrics } from '../metrics.ts'
import { publicFile } from '../static-files.ts'
import type { Visit } from '../visit.ts'
import { cartForm, cartPage } from './cart.tsx'
import { categoryPage, homePage, productPage, shopPage, tagPage } from './catalog.tsx'
import { checkoutForm, checkoutPage } from './checkout.tsx'
import { contentPage } from './content.tsx'
import { orderReceivedPage } from './order-received.tsx'
import { productForm } from './product-form.ts'
import { walletCancel, walletReturn, walletStart } from './wallet.ts'

type PageRoute = {
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
  get('/product/:slug/', productPage),
  post('/product/:slug/', productForm),
  get('/cart/', cartPage),
  post('/cart/', cartForm),
  get('/checkout/', checkoutPage),
  post('/checkout/', checkoutForm),
  post('/checkout/wallet-start/', walletStart),
  get('/checkout/wallet-return/', walletReturn),
  get('/checkout/wallet-cancel/', walletCancel),
  get('/checkout/order-received/:id/', orderReceivedPage),
  post('/checkout/order-received/:id/', orderReceivedPage),
  get('/terms/', contentPage('terms')),
  get('/privacy-policy/', contentPage('privacy-policy')),
  get('/favicon.svg', ({ app, request }) => publicFile(app, request, 'favicon.svg')),
  get('/robots.txt', async ({ app }) => robots(app.tools.publicUrl)),
  get(
    '/metrics',
    async () => new Response(await metrics.metrics(), { headers: { 'Content-Type': metrics.contentType } }),
  ),
]

function robots(publicUrl: string): Response {
  const closed = ['/cart/', '/checkout/', '/*?add-to-cart=', '/*?wc-ajax=', '/wp-json/', '/wp-admin/']
  const text = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `# ${publicUrl}`, ''].join('\n')
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
