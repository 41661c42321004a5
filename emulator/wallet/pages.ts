import { html } from 'hono/html'
import type { Amount } from '../orders/amounts.ts'
import { amountOf, hundredths } from '../orders/amounts.ts'
import type { Address, Order, PurchaseUnit } from '../orders/order.ts'
import { BUYERS, type Buyer } from './buyers.ts'

type Html = ReturnType<typeof html>

type Frame = { title: string; order?: Order; outcome?: 'approved' | 'cancelled' }

function page({ title, order, outcome }: Frame, content: Html): Html {
  const amount = order?.units[0]?.amount
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · PayPal emulator</title>
<link rel="stylesheet" href="/checkoutnow/wallet.css">
</head>
<body data-token="${order?.id ?? ''}" data-outcome="${outcome ?? ''}" data-payer="${order?.buyer?.payerId ?? ''}">
<aside class="notice" aria-label="About this page">PayPal emulator · no real money</aside>
<main>
<header><span class="mark">PayPal</span>${amount ? html`<span class="total">${money(amount)}</span>` : ''}</header>
${content}
</main>
<script src="/checkoutnow/wallet.js"></script>
</body>
</html>`
}

/** Shown in the window between the click and the order. */
export function openingPage(): Html {
  return page(
    { title: 'One moment' },
    html`<div class="spinner"></div><p class="middle" role="status">One moment, the shop is preparing your payment.</p>`,
  )
}

export function emailPage(order: Order, email: string, error?: string): Html {
  return page(
    { title: 'Log in', order },
    html`<section class="card"><h1>Pay with PayPal</h1>
<form method="post" action="/checkoutnow">${hidden(order, 'email')}
<label for="email">Email</label>
<input id="email" name="login_email" type="email" value="${email}" autocomplete="username" required ${described(error)}>
${error ? html`<p class="error" id="problem" role="alert">${error}</p>` : ''}
<button id="btnNext">Next</button></form>${accounts()}</section>${cancelLink(order)}`,
  )
}

export function passwordPage(order: Order, email: string): Html {
  return page(
    { title: 'Log in', order },
    html`<section class="card"><h1>Pay with PayPal</h1><p>${email}</p>
<form method="post" action="/checkoutnow">${hidden(order, 'login')}
<input type="hidden" name="login_email" value="${email}">
<label for="password">Password</label>
<input id="password" name="login_password" type="password" autocomplete="current-password" placeholder="anything will do" required>
<button id="btnLogin">Log in</button></form></section>${cancelLink(order)}`,
  )
}

export function reviewPage(order: Order, buyer: Buyer): Html {
  const unit = order.units[0]
  if (!unit) return gonePage()
  const pays = order.experience.userAction === 'PAY_NOW'
  return page(
    { title: 'Review', order },
    html`<section class="card"><h1>Hi, ${buyer.givenName}</h1>
${order.declined ? html`<p class="error" role="alert">Your last way to pay was declined. Another one is chosen now.</p>` : ''}
<form method="post" action="/checkoutnow">${hidden(order, 'approve')}
${shipTo(order, unit, buyer)}${shippingMethods(unit)}
<h2>Pay with</h2><p>${fundsText(order, buyer)}</p>
<h2>${order.experience.brandName ?? 'Your order'}</h2>${items(unit)}
<p></p><button id="payment-submit-btn">${pays ? `Pay ${money(unit.amount)}` : 'Continue'}</button></form>
<form method="post" action="/checkoutnow">${hidden(order, 'logout')}<button class="quiet">Not you? Log out</button></form>
</section>${cancelLink(order)}`,
  )
}

/** The end of the road in a window: its script tells the shop, which closes it. */
export function donePage(order: Order, outcome: 'approved' | 'cancelled'): Html {
  const text =
    outcome === 'approved' ? 'You have agreed to pay. Returning to the shop.' : 'You have cancelled. Nothing was paid.'
  return page(
    { title: 'Done', order, outcome },
    html`<section class="card middle"><p role="status">${text}</p><button type="button" id="closeWindow" class="quiet">Close</button></section>`,
  )
}

export function paidPage(order: Order): Html {
  const back = order.experience.returnUrl ? returnAddress(order) : undefined
  return page(
    { title: 'Already paid', order },
    html`<section class="card middle"><h1>This order is already paid</h1>${back ? html`<a class="button" href="${back}">Back to the shop</a>` : ''}</section>`,
  )
}

export function gonePage(): Html {
  return page(
    { title: 'Gone' },
    html`<section class="card middle"><h1>This payment is no longer there</h1><p>Go back to the shop and start again.</p></section>`,
  )
}

/** Where a buyer goes who approved without a window. */
export function returnAddress(order: Order): string | undefined {
  return withQuery(order.experience.returnUrl, { token: order.id, PayerID: order.buyer?.payerId ?? '' })
}

export function cancelAddress(order: Order): string | undefined {
  return withQuery(order.experience.cancelUrl, { token: order.id })
}

function withQuery(address: string | undefined, query: Record<string, string>): string | undefined {
  if (address === undefined) return undefined
  const url = new URL(address)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}

function hidden(order: Order, step: string): Html {
  return html`<input type="hidden" name="token" value="${order.id}"><input type="hidden" name="step" value="${step}"><input type="hidden" name="mode" value="redirect">`
}

function described(error: string | undefined): Html | '' {
  return error ? html`aria-invalid="true" aria-describedby="problem"` : ''
}

function cancelLink(order: Order): Html {
  const shop = order.experience.brandName ?? 'the shop'
  return html`<p class="links"><a id="cancelLink" href="/checkoutnow/cancel?token=${order.id}">Cancel and return to ${shop}</a></p>`
}

function accounts(): Html {
  return html`<details><summary>Accounts to try</summary><ul>${BUYERS.map(
    (buyer) => html`<li><b>${buyer.email}</b> ${buyer.purpose}</li>`,
  )}</ul></details>`
}

function shipTo(order: Order, unit: PurchaseUnit, buyer: Buyer): Html | '' {
  const preference = order.experience.shippingPreference
  if (preference === 'NO_SHIPPING') return ''
  if (preference === 'SET_PROVIDED_ADDRESS') {
    const address = unit.shipping?.address
    return html`<h2>Ship to</h2>${address ? addressBlock(unit.shipping?.name?.full_name ?? '', address) : ''}`
  }
  if (buyer.addresses.length === 0) return html`<h2>Ship to</h2><p>No address in this wallet.</p>`
  return html`<h2>Ship to</h2>${buyer.addresses.map(
    ({ id, fullName, address }, index) =>
      html`<label class="choice"><input type="radio" name="address" value="${id}" ${
        index === 0 ? 'checked' : ''
      }>${addressBlock(fullName, address)}</label>`,
  )}`
}

function addressBlock(name: string, address: Address): Html {
  const { address_line_1, address_line_2, admin_area_1, admin_area_2, postal_code, country_code } = address
  const town = [admin_area_2, admin_area_1, postal_code].filter(Boolean).join(' ')
  const lines = [name, address_line_1, address_line_2, town, country_code].filter(Boolean)
  return html`<address>${lines.join(', ')}</address>`
}

function shippingMethods(unit: PurchaseUnit): Html | '' {
  const options = unit.shipping?.options ?? []
  if (options.length === 0) return ''
  return html`<h2><label for="shippingMethodsDropdown">Shipping method</label></h2>
<select id="shippingMethodsDropdown" name="shipping_option">${options.map(
    (option) =>
      html`<option value="${option.id}" ${option.selected ? 'selected' : ''}>${option.label}${
        option.amount ? ` · ${money(option.amount)}` : ''
      }</option>`,
  )}</select>`
}

function items(unit: PurchaseUnit): Html {
  const breakdown = unit.amount.breakdown ?? {}
  const part = (label: string, amount: Amount | undefined, sign = '') =>
    amount && hundredths(amount) !== 0n ? html`<tr><td>${label}</td><td>${sign}${money(amount)}</td></tr>` : ''
  return html`<table>
${(unit.items ?? []).map(
  (item) =>
    html`<tr><td>${item.quantity} × ${item.name}</td><td>${money(amountOf(hundredths(item.unit_amount) * BigInt(item.quantity), item.unit_amount.currency_code))}</td></tr>`,
)}
${part('Shipping', breakdown.shipping)}${part('Handling', breakdown.handling)}${part('Tax', breakdown.tax_total)}
${part('Insurance', breakdown.insurance)}${part('Shipping discount', breakdown.shipping_discount, '−')}
${part('Discount', breakdown.discount, '−')}
<tr class="sum"><td>Total</td><td>${money(unit.amount)}</td></tr></table>`
}

function fundsText(order: Order, buyer: Buyer): string {
  if (buyer.funds === 'echeck' && !order.experience.immediatePaymentRequired) return 'eCheck from bank account ··3141'
  if (buyer.funds === 'declined-once' && order.declines === 0) return 'Visa ··0002'
  return 'PayPal balance'
}

export function money(amount: Amount): string {
  const { currency_code: currency, value } = amount
  // The value stays text: Intl formats decimal strings without going through a floating number.
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value as `${number}`)
}
