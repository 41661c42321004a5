import { type FormEvent, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Cart, type Order, type Product, priceText, storeApi } from './store-api.ts'
import './storefront.css'

const shop = import.meta.env.VITE_SHOP ?? 'http://localhost:3000'
const call = storeApi(shop)

type View =
  | { at: 'list' }
  | { at: 'product'; product: Product }
  | { at: 'cart' }
  | { at: 'checkout' }
  | { at: 'paid'; order: Order }

function Storefront() {
  const [view, setView] = useState<View>({ at: 'list' })
  const [cart, setCart] = useState<Cart | null>(null)
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)

  /** Runs one request at a time, and shows why it failed. */
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setMessage('')
    await work().catch((error: unknown) => setMessage(error instanceof Error ? error.message : String(error)))
    setBusy(false)
  }
  useEffect(() => {
    call<Cart>('cart').then(setCart, (error: unknown) => setMessage(String(error)))
  }, [])

  const change = (path: string, body: object, next?: View) =>
    run(async () => {
      setCart(await call<Cart>(path, body))
      if (next) setView(next)
    })
  return (
    <>
      <header>
        <button type="button" onClick={() => setView({ at: 'list' })}>
          Products
        </button>
        <button type="button" onClick={() => setView({ at: 'cart' })}>
          Cart ({cart?.items_count ?? 0})
        </button>
      </header>
      <main aria-busy={busy}>
        <p role="status">{message}</p>
        {view.at === 'list' && <ProductList onOpen={(product) => setView({ at: 'product', product })} />}
        {view.at === 'product' && (
          <ProductView
            product={view.product}
            onAdd={(id) => change('cart/add-item', { id, quantity: 1 }, { at: 'cart' })}
          />
        )}
        {view.at === 'cart' && cart && (
          <CartView
            cart={cart}
            onQuantity={(key, quantity) =>
              quantity > 0 ? change('cart/update-item', { key, quantity }) : change('cart/remove-item', { key })
            }
            onCheckout={() => setView({ at: 'checkout' })}
          />
        )}
        {view.at === 'checkout' && cart && (
          <Checkout
            cart={cart}
            busy={busy}
            onAddress={(address) => change('cart/update-customer', address)}
            onRate={(rate) => change('cart/select-shipping-rate', { rate_id: rate })}
            onPay={(fields) =>
              run(async () => {
                const order = await pay(fields)
                setCart(await call<Cart>('cart'))
                setView({ at: 'paid', order })
              })
            }
          />
        )}
        {view.at === 'paid' && (
          <h1>
            Thank you. Order {view.order.order_id} is {view.order.status}.
          </h1>
        )}
      </main>
    </>
  )
}

function ProductList({ onOpen }: { onOpen: (product: Product) => void }) {
  const [products, setProducts] = useState<readonly Product[]>([])
  useEffect(() => {
    call<Product[]>('products?per_page=24').then(setProducts, () => setProducts([]))
  }, [])
  return (
    <ul className="products">
      {products.map((product) => (
        <li key={product.id}>
          <button type="button" onClick={() => onOpen(product)}>
            {product.images[0] && <img src={product.images[0].src} alt="" loading="lazy" />}
            {product.name}
            <span>{priceText(product.prices.price, product.prices)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function ProductView({ product, onAdd }: { product: Product; onAdd: (id: number) => void }) {
  const [chosen, setChosen] = useState(product.variations[0]?.id ?? product.id)
  return (
    <article>
      <h1>{product.name}</h1>
      <p>{priceText(product.prices.price, product.prices)}</p>
      {product.variations.length > 0 && (
        <label>
          Version
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {product.variations.map(({ id, attributes }) => (
              <option key={id} value={id}>
                {attributes.map(({ value }) => value).join(', ')}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" disabled={!product.is_in_stock} onClick={() => onAdd(chosen)}>
        Add to cart
      </button>
    </article>
  )
}

type CartProps = { cart: Cart; onQuantity: (key: string, quantity: number) => void; onCheckout: () => void }

function CartView({ cart, onQuantity, onCheckout }: CartProps) {
  if (cart.items.length === 0) return <p>The cart is empty.</p>
  return (
    <section>
      <h1>Cart</h1>
      {cart.items.map(({ key, name, quantity, totals }) => (
        <p key={key}>
          <label>
            {name}
            <input
              type="number"
              min="0"
              value={quantity}
              onChange={(event) => onQuantity(key, Number(event.target.value))}
            />
          </label>
          {priceText(totals.line_total, totals)}
        </p>
      ))}
      <p>Total: {priceText(cart.totals.total_price, cart.totals)}</p>
      <button type="button" onClick={onCheckout}>
        To the checkout
      </button>
    </section>
  )
}

const fields = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  address_1: 'Street',
  city: 'City',
  state: 'State',
  postcode: 'Postcode',
  country: 'Country',
  phone: 'Phone',
} as const

type Fields = Readonly<Record<string, string>>
type CheckoutProps = {
  cart: Cart
  busy: boolean
  onAddress: (address: object) => void
  onRate: (rate: string) => void
  onPay: (fields: Fields) => void
}

function Checkout({ cart, busy, onAddress, onRate, onPay }: CheckoutProps) {
  const posted = (form: HTMLFormElement) =>
    Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onPay(posted(event.currentTarget))
  }
  const rates = cart.shipping_rates.flatMap((each) => each.shipping_rates)
  return (
    <form onSubmit={submit}>
      <h1>Checkout</h1>
      {Object.entries(fields).map(([name, label]) => (
        <label key={name}>
          {label}
          <input name={name} defaultValue={name === 'country' ? 'US' : ''} />
        </label>
      ))}
      <button
        type="button"
        disabled={busy}
        onClick={({ currentTarget: { form } }) => form && onAddress(addressesOf(posted(form)))}
      >
        Calculate shipping
      </button>
      {rates.map((rate) => (
        <label key={rate.rate_id}>
          <input type="radio" name="rate" checked={rate.selected} onChange={() => onRate(rate.rate_id)} />
          {rate.name}: {priceText(rate.price, rate)}
        </label>
      ))}
      <label>
        Payment
        <select name="payment_method">
          {cart.payment_methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={busy}>
        Pay {priceText(cart.totals.total_price, cart.totals)}
      </button>
    </form>
  )
}

function addressesOf({ payment_method: _, rate: __, ...address }: Fields) {
  const { email: ___, ...shipping } = address
  return { billing_address: address, shipping_address: shipping }
}

/** Places the order. A wallet is approved in a window of its provider; the second request captures the payment. */
async function pay(form: Fields): Promise<Order> {
  const request = { ...addressesOf(form), payment_method: form.payment_method }
  // Opened at the press: a later one would be blocked.
  const provider = form.payment_method === 'ppcp' ? open('', '_blank', 'popup,width=500,height=700') : null
  try {
    const order = await call<Order>('checkout', request)
    const { payment_status: status, payment_details: details, redirect_url: url } = order.payment_result ?? {}
    if (status !== 'pending' || !provider || !url || !details) return order
    provider.location.href = url
    // Also true once the window has left for the shop's own page.
    while (!provider.closed) await new Promise((done) => setTimeout(done, 200))
    return await call<Order>('checkout', { ...request, payment_data: details })
  } finally {
    provider?.close()
  }
}

const place = document.getElementById('storefront')
if (place) createRoot(place).render(<Storefront />)
