import { html } from 'hono/html'
import type { Amount } from '../orders/amounts.ts'
import { amountOf, hundredths } from '../orders/amounts.ts'
import type { Address, Order, PurchaseUnit } from '../orders/order.ts'
import { BUYERS, type Buyer } from './buyers.ts'
import { instrumentsFor } from './instruments.ts'
import { chosenAddress, shippingOptions, usesWalletAddress } from './shipping.ts'
import { returnAddress, type Subject, type Visit } from './visit.ts'

export type Html = ReturnType<typeof html>

type OrderSubject = Extract<Subject, { kind: 'order' }>

type Frame = { title: string; subject?: Subject; outcome?: 'approved' | 'cancelled' | undefined; asks?: boolean }

export function page({ title, subject, outcome, asks = false }: Frame, content: Html): Html {
  const amount = subject?.kind === 'order' ? subject.order.units[0]?.amount : undefined
  const venmo = subject?.visit.fundingSource === 'venmo'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · PayPal emulator</title>
<link rel="stylesheet" href="/checkoutnow/wallet.css">
</head>
<body class="${venmo ? 'venmo' : ''}" data-token="${subject?.id ?? ''}" data-outcome="${outcome ?? ''}" data-payer="${subject?.visit.buyer?.payerId ?? ''}" ${asks ? html`data-asks="yes"` : ''}>
<aside class="notice" aria-label="About this page">PayPal emulator · no real money</aside>
<main>
<header><span class="mark">${venmo ? 'venmo' : 'PayPal'}</span>${amount ? html`<span class="total">${money(amount)}</span>` : ''}</header>
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

export function emailPage(subject: Subject, email: string, error?: string): Html {
  return page(
    { title: 'Log in', subject },
    html`<section class="card"><h1>${loginTitle(subject)}</h1>
<form method="post" action="/checkoutnow">${hiddenFields(subject, 'email')}
<label for="email">Email</label>
<input id="email" name="login_email" type="email" value="${email}" autocomplete="username" required ${errorMarkup(error)}>
${error ? html`<p class="error" id="problem" role="alert">${error}</p>` : ''}
<button id="btnNext">Next</button></form>
${subject.kind === 'order' && subject.visit.fundingSource !== 'venmo' ? html`<p class="or"><a id="payByCard" href="${subject.address}&amp;fundingSource=card">Pay with debit or credit card</a></p>` : ''}
${accounts()}</section>${cancelLink(subject)}`,
  )
}

export function passwordPage(subject: Subject, email: string): Html {
  return page(
    { title: 'Log in', subject },
    html`<section class="card"><h1>${loginTitle(subject)}</h1><p>${email}</p>
<form method="post" action="/checkoutnow">${hiddenFields(subject, 'login')}
<input type="hidden" name="login_email" value="${email}">
<label for="password">Password</label>
<input id="password" name="login_password" type="password" autocomplete="current-password" placeholder="any password works" required>
<button id="btnLogin">Log in</button></form></section>${cancelLink(subject)}`,
  )
}

function loginTitle({ kind, visit }: Subject): string {
  if (kind !== 'order') return 'Log in to save a payment method'
  if (visit.fundingSource === 'paylater') return 'Buy now, pay later'
  return visit.fundingSource === 'venmo' ? 'Pay with Venmo' : 'Pay with PayPal'
}

/** @param asks the shop's page has yet to hear of the address that is chosen */
export function reviewPage(subject: OrderSubject, buyer: Buyer, asks: boolean): Html {
  const { order, visit } = subject
  const unit = order.units[0]
  if (!unit) return expiredPage()
  const pays = order.experience.userAction === 'PAY_NOW'
  const refused = visit.refusal
  return page(
    { title: 'Review', subject, asks },
    html`<section class="card"><h1>${visit.card ? 'Review and pay' : `Hi, ${buyer.givenName}`}</h1>
${order.declined ? html`<p class="error" role="alert">Your last payment method was declined. Another one is selected.</p>` : ''}
${refused ? html`<p class="error" role="alert" id="refusal">${refused.text}</p>` : ''}
<form method="post" action="/checkoutnow" id="review">${hiddenFields(subject, 'approve')}
${shipTo(order, unit, visit, buyer)}${shippingMethods(order)}
${mayChoose(order, buyer) ? html`<noscript><button class="quiet" name="step" value="shipping">Update the total</button></noscript>` : ''}
${instruments(subject, buyer)}
<h2>${order.experience.brandName ?? 'Your order'}</h2>${items(unit)}
<div class="pay"><p id="progress" role="status"></p><button id="payment-submit-btn" ${refused?.blocks ? html`disabled aria-describedby="refusal"` : ''}>${pays ? `Pay ${money(unit.amount)}` : 'Continue'}</button></div></form>
${logOut(subject)}</section>${cancelLink(subject)}`,
  )
}

/** Page for an agreement without a payment: the shop may charge this wallet later. */
export function keepPage(subject: Subject, buyer: Buyer): Html {
  const { brandName } = subject
  return page(
    { title: 'Save a payment method', subject },
    html`<section class="card"><h1>Save PayPal for ${brandName}</h1>
<p>Hi, ${buyer.givenName}. Next time, you can pay ${brandName} without logging in here. You are not charged now, and you can remove this method at any time.</p>
<form method="post" action="/checkoutnow">${hiddenFields(subject, 'agree')}
${instruments(subject, buyer)}
<div class="pay"><button id="payment-submit-btn">Agree and continue</button></div></form>
${logOut(subject)}</section>${cancelLink(subject)}`,
  )
}

/** Last page of a pop-up: its script informs the shop, which closes the window. */
export function donePage(subject: Subject, outcome: 'approved' | 'cancelled'): Html {
  const agreed = subject.kind === 'order' ? 'Payment approved.' : 'Your payment method is saved.'
  const text = outcome === 'approved' ? `${agreed} Returning to the shop.` : 'Payment cancelled. You were not charged.'
  return page(
    { title: 'Done', subject, outcome },
    html`<section class="card middle"><p role="status">${text}</p><button type="button" id="closeWindow" class="quiet">Close</button></section>`,
  )
}

export function overPage(subject: Subject): Html {
  const back = returnAddress(subject)
  const title = subject.kind === 'order' ? 'This order is already paid' : 'This is already saved'
  return page(
    { title: 'Already done', subject },
    html`<section class="card middle"><h1>${title}</h1>${back ? html`<a class="button" href="${back}">Back to the shop</a>` : ''}</section>`,
  )
}

export function expiredPage(): Html {
  return page(
    { title: 'Expired' },
    html`<section class="card middle"><h1>This payment link has expired</h1><p>Go back to the shop and start again.</p></section>`,
  )
}

export function hiddenFields({ id }: Subject, step: string): Html {
  return html`<input type="hidden" name="token" value="${id}"><input type="hidden" name="step" value="${step}"><input type="hidden" name="mode" value="redirect">`
}

export function errorMarkup(error: string | undefined): Html | '' {
  return error ? html`aria-invalid="true" aria-describedby="problem" autofocus` : ''
}

export function cancelLink({ id, brandName }: Subject): Html {
  return html`<p class="links"><a id="cancelLink" href="/checkoutnow/cancel?token=${id}">Cancel and return to ${brandName}</a></p>`
}

function logOut(subject: Subject): Html {
  const words = subject.visit.card ? 'Use another card' : 'Not you? Log out'
  return html`<form method="post" action="/checkoutnow">${hiddenFields(subject, 'logout')}<button class="quiet">${words}</button></form>`
}

function accounts(): Html {
  return html`<details><summary>Accounts to try</summary><ul>${BUYERS.map(
    (buyer) => html`<li><b>${buyer.email}</b> ${buyer.purpose}</li>`,
  )}</ul></details>`
}

function mayChoose(order: Order, buyer: Buyer): boolean {
  return (usesWalletAddress(order) && buyer.addresses.length > 1) || shippingOptions(order).length > 1
}

function shipTo(order: Order, unit: PurchaseUnit, visit: Visit, buyer: Buyer): Html | '' {
  const preference = order.experience.shippingPreference
  if (preference === 'NO_SHIPPING') return ''
  if (preference === 'SET_PROVIDED_ADDRESS') {
    const address = unit.shipping?.address
    return html`<h2>Ship to</h2>${address ? addressBlock(unit.shipping?.name?.full_name ?? '', address) : ''}`
  }
  if (buyer.addresses.length === 0) return html`<h2>Ship to</h2><p>No address in this wallet.</p>`
  const chosen = chosenAddress(visit, buyer)
  return html`<fieldset><legend>Ship to</legend>${buyer.addresses.map((one) =>
    choice('address', one.id, one === chosen, addressBlock(one.fullName, one.address)),
  )}</fieldset>`
}

function instruments({ kind, visit, ...subject }: Subject, buyer: Buyer): Html {
  const order = 'order' in subject ? subject.order : undefined
  const ways = instrumentsFor(buyer, visit, order)
  return html`<fieldset><legend>${kind === 'order' ? 'Pay with' : 'Pay next time with'}</legend>${ways.map(
    ({ id, text, preferred }) => choice('instrument', id, preferred, html`<span>${text}</span>`),
  )}</fieldset>`
}

function choice(name: string, value: string, checked: boolean, content: Html): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${value}" ${checked ? 'checked' : ''}>${content}</label>`
}

function addressBlock(name: string, address: Address): Html {
  const { address_line_1, address_line_2, admin_area_1, admin_area_2, postal_code, country_code } = address
  const town = [admin_area_2, admin_area_1, postal_code].filter(Boolean).join(' ')
  const lines = [name, address_line_1, address_line_2, town, country_code].filter(Boolean)
  return html`<address>${lines.join(', ')}</address>`
}

function shippingMethods(order: Order): Html | '' {
  const options = shippingOptions(order)
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

export function money(amount: Amount): string {
  const { currency_code: currency, value } = amount
  // The value stays text: Intl formats decimal strings without going through a floating number.
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value as `${number}`)
}
