import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { amountOf } from '../orders/amounts.ts'
import type { Dispute } from '../orders/disputes.ts'
import type { Authorization, Order, Refund } from '../orders/order.ts'
import type { Env } from '../rest/operation.ts'
import { browserCode } from '../sdk/browser-code.ts'
import { CHALLENGES } from '../vault/authentication.ts'
import { KEPT_LATER_NAME, REFUSED_ENDINGS, REFUSED_NAMES } from '../vault/cards.ts'
import { BUYERS } from '../wallet/buyers.ts'
import { money } from '../wallet/pages.ts'
import { timestamp } from '../world/clock.ts'
import type { Fault } from '../world/faults.ts'
import type { World } from '../world/world.ts'
import { totals } from './ledger.ts'
import { MISHAPS, type Wish } from './mishaps.ts'

type Html = ReturnType<typeof html>

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'"

/** Rows of each table; more would make the page slow to read. */
const ROWS = 25

const ROUTES = [
  '/v*',
  'oauth.token',
  'orders.create',
  'orders.get',
  'orders.patch',
  'orders.confirm',
  'orders.capture',
  'orders.authorize',
  'orders.track',
  'authorizations.capture',
  'authorizations.void',
  'captures.refund',
  'setup-tokens.create',
  'payment-tokens.create',
  'payment-tokens.delete',
  'sdk.script',
]
const EFFECTS = [
  'status',
  'issue',
  'delay',
  'answer_late',
  'drop',
  'done_then_drop',
  'done_then_500',
  'malformed',
  'wrong_type',
  'huge',
  'drip',
]

/** `/__emulator/`: a person sees what the shop did and chooses what happens to it next. */
export function serveControlPage(app: Hono<Env>, world: World): void {
  app.get('/__emulator', (context) => context.redirect('/__emulator/'))
  app.get('/__emulator/', (context) =>
    context.html(controlPage(world, context.req.query('problem')), 200, {
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    }),
  )
  const styles = readFileSync(new URL('./control.css', import.meta.url), 'utf8')
  const code = `(function () {\n'use strict';\n${browserCode(new URL('./browser/', import.meta.url), ['control.ts'])}\nkeepFresh();\n})();\n`
  app.get('/__emulator/control.css', (context) =>
    context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
  app.get('/__emulator/control.js', (context) =>
    context.body(code, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
}

function controlPage(world: World, problem: string | undefined): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>PayPal emulator</title><link rel="stylesheet" href="/__emulator/control.css">
</head>
<body>
<header><h1>PayPal emulator <small>no real money</small></h1>
<p>${world.origin} · <a href="#wrong">Faults</a> · <a href="#happened">Activity</a> · <a href="#who">Accounts and cards</a></p></header>
<main>
${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
<div data-live="waiting">${waiting(world)}</div>
<section id="wrong"><h2>Faults</h2>
<p>Each button plans a fault for the next call, or for the time that it states. The small print is the ID in the shop’s fault list.</p>
<dl class="mishaps">${MISHAPS.map(
    ({ id, title, text, wishes }) => html`<div><dt>${title} <small>${id}</small></dt>
<dd><p>${text}</p><div class="row">${wishes.map(wishButton)}</div></dd></div>`,
  )}</dl>
<details><summary>Custom fault</summary>
<form method="post" action="/__emulator/fault" class="row">
<label>Call <select name="route">${ROUTES.map((route) => html`<option>${route}</option>`)}</select></label>
<label>Effect <select name="effect">${EFFECTS.map((effect) => html`<option>${effect}</option>`)}</select></label>
<label>Value or issue <input name="value" size="18" placeholder="500"></label>
<label>Times <input name="times" type="number" min="1" value="1"></label>
<label>or seconds <input name="seconds" type="number" min="1" max="86400"></label>
<button>Add</button></form></details>
</section>
<div data-live="happened">${happened(world)}</div>
${who()}
</main>
<script src="/__emulator/control.js"></script>
</body>
</html>`
}

function wishButton({ text, path, fields }: Wish): Html {
  return action(path, text, fields)
}

/** What the shop and its buyers did; the page's script fetches it anew. */
function happened(world: World): Html {
  const orders = [...world.orders.values()].slice(-ROWS).reverse()
  return html`<section id="happened"><h2>Money</h2>${moneyTiles(world)}</section>
<section><h2>Orders <small>${world.orders.size}</small></h2>
${table(
  ['Order', 'Invoice', 'Amount', 'Status', 'Payments', 'Actions'],
  orders.map((order) => orderRow(world, order)),
)}
</section>
${kept(world)}${disputes(world)}${notifications(world)}${calls(world)}`
}

function waiting(world: World): Html {
  const faults = world.faults.all()
  const wishes = [
    ...world.captureOverrides.map((wish) => html`<li>next payment: <code>${wish}</code></li>`),
    ...world.refundOverrides.map((wish) => html`<li>next refund: <code>${wish}</code></li>`),
  ]
  const none = faults.length + wishes.length === 0
  return html`<section class="${none ? 'calm' : 'armed'}"><h2>${none ? 'No planned faults' : 'Planned faults'}</h2>
${none ? '' : html`<ul>${faults.map((fault) => html`<li>${faultText(fault)}</li>`)}${wishes}</ul>`}
<div class="row">${none ? '' : action('/faults/clear', 'Clear faults')}${action('/clock', 'Advance one hour', { advance_ms: '3600000' })}${action('/clock', 'Advance one day', { advance_ms: '86400000' })}${action('/reset', 'Reset all data')}<span class="clock">Emulator time: ${timestamp(world.clock.now())}</span></div>
</section>`
}

function faultText({ route, times, seconds, effect }: Fault): Html {
  const long = seconds === undefined ? `${times} ×` : `for ${seconds} s`
  return html`${long} <code>${route}</code> ${Object.values(effect).join(' ')}`
}

function moneyTiles(world: World): Html {
  const currencies = Object.entries(totals(world))
  if (currencies.length === 0) return html`<p>No payments yet.</p>`
  return html`<div class="tiles">${currencies.map(
    ([currency, sums]) =>
      html`<div class="tile"><h3>${currency}</h3><dl>${Object.entries(sums).map(
        ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
      )}</dl></div>`,
  )}</div>`
}

function kept(world: World): Html | '' {
  const { paymentTokens, setupTokens, agreements } = world.vault
  if (paymentTokens.size + setupTokens.size + agreements.size === 0) return ''
  return html`<section><h2>Saved payment methods <small>${paymentTokens.size}</small></h2>
${table(
  ['Token', 'Customer', 'Method', 'Actions'],
  [...paymentTokens.values()]
    .slice(-ROWS)
    .reverse()
    .map(({ id, customerId, means }) => [
      html`<code>${id}</code>`,
      html`<code>${customerId}</code>`,
      means.kind === 'card'
        ? `${means.card.brand} •••• ${means.card.lastDigits}`
        : `${means.kind} ${means.buyer.email}`,
      action(`/payment-tokens/${id}/delete`, 'Delete'),
    ]),
)}${table(
  ['Waiting', 'Customer', 'What', 'Status', 'Actions'],
  [...setupTokens.values()]
    .slice(-ROWS)
    .reverse()
    .map(({ id, customerId, kind, status }) => [
      html`<code>${id}</code>`,
      html`<code>${customerId}</code>`,
      kind,
      status,
      kind !== 'card' && status === 'PAYER_ACTION_REQUIRED' ? action(`/setup-tokens/${id}/approve`, 'Approve') : '',
    ]),
)}
</section>`
}

function disputes(world: World): Html | '' {
  if (world.disputes.size === 0) return ''
  return html`<section><h2>Disputes <small>${world.disputes.size}</small></h2>
${table(
  ['Dispute', 'Capture', 'Reason', 'Status', 'Actions'],
  [...world.disputes.values()].slice(-ROWS).reverse().map(disputeRow),
)}</section>`
}

function disputeRow({ id, captureId, reason, status, outcome }: Dispute): Cell[] {
  return [
    html`<code>${id}</code>`,
    html`<code>${captureId}</code>`,
    reason,
    outcome ?? status,
    status === 'RESOLVED'
      ? ''
      : html`<div class="row">${action(`/disputes/${id}/update`, 'Review', { status: 'UNDER_REVIEW' })}${action(`/disputes/${id}/resolve`, 'Buyer wins', { outcome: 'RESOLVED_BUYER_FAVOUR' })}${action(`/disputes/${id}/resolve`, 'Seller wins', { outcome: 'RESOLVED_SELLER_FAVOUR' })}</div>`,
  ]
}

function notifications(world: World): Html {
  const { holding, copies, reordering, toDrop, backdatedMs } = world.webhooks.modes()
  const modes = [
    holding ? action('/webhooks/hold', 'Held: release', { on: 'false' }) : '',
    copies > 1 ? action('/webhooks/duplicate', `Each ${copies} times: send once`, { copies: '1' }) : '',
    reordering ? action('/webhooks/reorder', 'Reversed: keep the order', { on: 'false' }) : '',
    backdatedMs > 0 ? action('/webhooks/backdate', 'Backdated: stop', { days: '0' }) : '',
    toDrop > 0 ? action('/webhooks/drop', `Dropping ${toDrop}: stop`, { count: '0' }) : '',
  ]
  return html`<section><h2>Webhooks</h2>
<div class="row">${modes}${action('/webhooks/flush', 'Send held')}${action('/webhooks/flush', 'Send held in reverse order', { order: 'reversed' })}</div>
${table(
  ['Event', 'To', 'State', 'Attempts', 'Response', 'Actions'],
  world.webhooks
    .deliveries()
    .slice(-ROWS)
    .reverse()
    .map(({ event, url, state, attempts, lastStatus, falseAs }) => [
      falseAs ? html`${event.type} <small>${falseAs}</small>` : event.type,
      url,
      state,
      attempts,
      lastStatus ?? '',
      falseAs ? '' : action('/webhooks/replay', 'Replay', { event: event.id }),
    ]),
)}
</section>`
}

function calls(world: World): Html {
  return html`<section><h2>Calls</h2>
${table(
  ['Time', 'Call', 'Status', 'Issue', 'Failure', 'ms', 'Debug id'],
  world.log
    .all()
    .slice(-ROWS * 2)
    .reverse()
    .map((call) => [
      call.at.slice(11, 19),
      html`${call.method} ${call.path}`,
      call.status === 0 ? 'closed' : call.status,
      call.issue ?? '',
      call.fault ?? '',
      call.durationMs,
      html`<code>${call.debugId}</code>`,
    ]),
)}
</section>`
}

/** The accounts and cards that behave in a way of their own. */
function who(): Html {
  return html`<section id="who"><h2>Accounts and cards</h2>
<p>Any password opens an account. Any future date and three digits (four for American Express) complete a card.</p>
<div class="columns"><div>${table(
    ['Account', 'Outcome'],
    BUYERS.map(({ email, purpose }) => [html`<code>${email}</code>`, purpose]),
  )}${table(
    ['Name on the card', 'Outcome'],
    [
      ...Object.entries(REFUSED_NAMES).map(([name, { text, responseCode }]) => [
        html`<code>${name}</code>`,
        `declined, ${responseCode}: ${text}`,
      ]),
      [html`<code>${KEPT_LATER_NAME}</code>`, 'pays; its vault token is created later'],
    ],
  )}</div><div>${table(
    ['Card', 'Outcome'],
    [
      [html`<code>4111 1111 1111 1111</code>`, 'pays, no 3-D Secure'],
      [html`<code>5555 5555 5555 4444</code>`, 'pays (Mastercard)'],
      ...Object.entries(REFUSED_ENDINGS).map(([ending, issue]) => [html`<code>${cardNumber(ending)}</code>`, issue]),
      ...Object.entries(CHALLENGES).map(([ending, { text, result }]) => [
        html`<code>${cardNumber(ending)}</code>`,
        `3-D Secure: ${text} (${result.enrollment ?? '–'} ${result.authentication ?? '–'} ${result.liabilityShift})`,
      ]),
    ],
  )}</div></div></section>`
}

function cardNumber(ending: string): string {
  return `4000 0000 0000 ${ending}`
}

type Cell = Html | string | number

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html | '' {
  if (rows.length === 0) return html`<p class="empty">${heads[0] === 'Waiting' ? '' : 'Nothing yet.'}</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${heads[0] ?? ''} table"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

function orderRow(world: World, order: Order): Cell[] {
  const captures = order.captureIds.flatMap((id) => world.captures.get(id) ?? [])
  const holds = order.authorizationIds.flatMap((id) => world.authorizations.get(id) ?? [])
  const refunds = captures.flatMap(({ refundIds }) => refundIds.flatMap((id) => world.refunds.get(id) ?? []))
  const waits = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED'
  const unit = order.units[0]
  return [
    html`<code>${order.id}</code>`,
    unit?.invoice_id ?? '',
    unit ? money(unit.amount) : '',
    order.declined ? `${order.status}, declined` : order.status,
    [
      ...holds.map(({ status, size, currency }) => `${status} ${money(amountOf(size, currency))}`),
      ...captures.map(
        ({ status, size, refunded, currency }) => `${status} ${money(amountOf(size - refunded, currency))}`,
      ),
      ...refunds
        .filter(({ status }) => status !== 'COMPLETED')
        .map(({ status, size, currency }) => `refund ${status} ${money(amountOf(size, currency))}`),
    ].join(', '),
    html`<div class="row">${waits ? action(`/orders/${order.id}/approve`, 'Approve') : ''}${holds.map(holdActions)}${captures.map(
      ({ id, status }) =>
        status === 'PENDING'
          ? html`${action(`/captures/${id}/settle`, 'Approve payment', { status: 'COMPLETED' })}${action(`/captures/${id}/settle`, 'Deny payment', { status: 'DECLINED' })}`
          : status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED'
            ? html`${action(`/captures/${id}/refund`, 'Refund')}${action(`/captures/${id}/dispute`, 'Dispute')}`
            : '',
    )}${refunds.map(refundActions)}</div>`,
  ]
}

function holdActions({ id, status }: Authorization): Html | '' {
  if (status !== 'CREATED' && status !== 'PARTIALLY_CAPTURED') return ''
  const collect = action(`/authorizations/${id}/capture`, 'Capture')
  return status === 'CREATED' ? html`${collect}${action(`/authorizations/${id}/void`, 'Void')}` : collect
}

function refundActions({ id, status }: Refund): Html | '' {
  if (status !== 'PENDING') return ''
  const settle = (text: string, end: string) => action(`/refunds/${id}/settle`, text, { status: end })
  return html`${settle('Complete refund', 'COMPLETED')}${settle('Fail refund', 'FAILED')}`
}

function action(path: string, text: string, fields: Record<string, string> = {}): Html {
  return html`<form method="post" action="/__emulator${path}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>${text}</button></form>`
}
