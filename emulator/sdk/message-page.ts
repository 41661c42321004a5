import { html } from 'hono/html'

/** Amounts that can be paid in four parts, in major units. */
const LEAST = 30
const MOST = 1500
const PARTS = 4

/** The document inside a message's frame, or, with `details`, the layer that it opens. */
export function messagePage(query: URLSearchParams) {
  const one = (key: string, fallback: string) => (/^[a-z0-9-]+$/.test(query.get(key) ?? '') ? query.get(key) : fallback)
  const offer = offerOf(query)
  if (query.has('details')) return detailsPage(offer)
  const layout = one('layout', 'text')
  const mark = html`<span class="mark"><b>Pay</b><i>Pal</i></span>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>PayPal Message</title><link rel="stylesheet" href="/sdk/message.css"></head>
<body data-layout="${layout}" data-color="${layout === 'flex' ? one('color', 'blue') : one('text.color', 'black')}" data-size="${one('text.size', '12')}" data-align="${one('text.align', 'left')}">
<button type="button" class="message" data-click>${one('logo.type', 'primary') === 'none' ? '' : mark} <span>${offer}</span> <u>Learn more</u></button>
<script src="/sdk/message.js"></script>
</body></html>`
}

/** Outside the range of amounts the message is a general one. */
function offerOf(query: URLSearchParams): string {
  const amount = query.get('amount') === '' ? Number.NaN : Number(query.get('amount'))
  const currency = /^[A-Z]{3}$/.test(query.get('currency') ?? '') ? (query.get('currency') ?? 'USD') : 'USD'
  if (!(amount >= LEAST && amount <= MOST)) return 'Buy now and pay later.'
  const part = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / PARTS)
  return `Pay in ${PARTS} interest-free payments of ${part}.`
}

function detailsPage(offer: string) {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pay Later</title><link rel="stylesheet" href="/sdk/message.css"></head>
<body class="details"><div class="sheet" role="dialog" aria-label="Pay Later"><button type="button" data-close aria-label="Close">×</button>
<h1>Pay Later</h1><p>${offer}</p><p>This is the payment emulator: nothing is owed to anybody.</p>
<button type="button" class="apply" data-apply>Apply</button></div>
<script src="/sdk/message.js"></script>
</body></html>`
}
