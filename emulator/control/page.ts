import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { amountOf } from '../orders/amounts.ts'
import type { Order } from '../orders/order.ts'
import type { Env } from '../rest/operation.ts'
import { browserCode } from '../sdk/browser-code.ts'
import { money } from '../wallet/pages.ts'
import { timestamp } from '../world/clock.ts'
import type { World } from '../world/world.ts'

type Html = ReturnType<typeof html>

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'"

/** Rows of each table; more would make the page slow to read. */
const ROWS = 25

/** What people most often want to see a shop survive. */
const WISHES: readonly { text: string; fields: Record<string, string> }[] = [
  {
    text: 'Decline the next payment',
    fields: { route: 'orders.capture', effect: 'issue', value: 'INSTRUMENT_DECLINED' },
  },
  { text: 'Next payment takes 8 seconds', fields: { route: 'orders.capture', effect: 'delay', value: '8000' } },
  { text: 'Next payment done, answered 500', fields: { route: 'orders.capture', effect: 'done_then_500' } },
  { text: 'Next payment done, connection cut', fields: { route: 'orders.capture', effect: 'done_then_drop' } },
  {
    text: 'Creating an order fails three times',
    fields: { route: 'orders.create', effect: 'status', value: '503', times: '3' },
  },
  { text: 'Next call is sent away (429)', fields: { route: '*', effect: 'status', value: '429' } },
  { text: 'Token refused once (401)', fields: { route: 'orders.create', effect: 'status', value: '401' } },
  { text: 'Script does not load', fields: { route: 'sdk.script', effect: 'status', value: '503' } },
]

const ROUTES = [
  '*',
  'oauth.token',
  'orders.create',
  'orders.get',
  'orders.patch',
  'orders.capture',
  'captures.refund',
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
    context.html(controlPage(world), 200, { 'content-security-policy': POLICY, 'cache-control': 'no-store' }),
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

function controlPage(world: World): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>PayPal emulator</title><link rel="stylesheet" href="/__emulator/control.css">
</head>
<body>
<header><h1>PayPal emulator <small>no real money</small></h1>
<p>${world.origin} · its time is ${timestamp(world.clock.now())} · accounts: buyer@emulator.test and others, any password</p></header>
<main>
<section><h2>What happens next</h2>
<div class="row">${WISHES.map(({ text, fields }) => action('/fault', text, fields))}</div>
<form method="post" action="/__emulator/fault" class="row">
<label>Call <select name="route">${ROUTES.map((route) => html`<option>${route}</option>`)}</select></label>
<label>Effect <select name="effect">${EFFECTS.map((effect) => html`<option>${effect}</option>`)}</select></label>
<label>Figure or issue <input name="value" size="18" placeholder="500"></label>
<label>Times <input name="times" type="number" min="1" value="1" size="3"></label>
<button>Add</button></form>
</section>
<div id="live">${live(world)}</div>
</main>
<script src="/__emulator/control.js"></script>
</body>
</html>`
}

/** What changes by itself; the page's script fetches it anew. */
function live(world: World): Html {
  const faults = world.faults.all()
  const orders = [...world.orders.values()].slice(-ROWS).reverse()
  const { holding, copies, reordering, toDrop } = world.webhooks.modes()
  return html`<section><h2>Waiting failures (${faults.length})</h2>
${faults.length === 0 ? html`<p>None: every call works.</p>` : html`<ul>${faults.map((fault) => html`<li>${fault.times} × <code>${fault.route}</code> ${effectText(fault.effect)}</li>`)}</ul>`}
<div class="row">${action('/faults/clear', 'Clear failures')}${action('/tokens/expire', 'Expire all tokens')}${action('/clock', 'One hour on', { advance_ms: '3600000' })}${action('/reset', 'Forget everything')}</div>
</section>
<section><h2>Orders (${world.orders.size})</h2>
${table(
  ['Order', 'Invoice', 'Amount', 'Status', 'Payments', 'Do'],
  orders.map((order) => orderRow(world, order)),
)}
</section>
<section><h2>Webhooks</h2>
<div class="row">${action('/webhooks/hold', holding ? 'Let through' : 'Hold back', { on: String(!holding) })}${action('/webhooks/flush', 'Send held')}${action('/webhooks/flush', 'Send held, last first', { order: 'reversed' })}${action('/webhooks/duplicate', copies > 1 ? 'Send once' : 'Send each five times', { copies: copies > 1 ? '1' : '5' })}${action('/webhooks/reorder', reordering ? 'Keep the order' : 'Mix the order', { on: String(!reordering) })}${action('/webhooks/drop', 'Lose the next', { count: String(toDrop + 1) })}</div>
${table(
  ['Event', 'To', 'State', 'Tries', 'Answer'],
  world.webhooks
    .deliveries()
    .slice(-ROWS)
    .reverse()
    .map(({ event, url, state, attempts, lastStatus }) => [event.type, url, state, attempts, lastStatus ?? '']),
)}
</section>
<section><h2>Calls</h2>
${table(
  ['Time', 'Call', 'Status', 'Issue', 'Failure', 'ms', 'Debug id'],
  world.log
    .all()
    .slice(-ROWS * 2)
    .reverse()
    .map((call) => [
      call.at.slice(11, 19),
      html`${call.method} ${call.path}`,
      call.status === 0 ? 'cut' : call.status,
      call.issue ?? '',
      call.fault ?? '',
      call.durationMs,
      html`<code>${call.debugId}</code>`,
    ]),
)}
</section>`
}

type Cell = Html | string | number

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>Nothing yet.</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${heads[0] ?? ''} table"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

function orderRow(world: World, order: Order): Cell[] {
  const captures = order.captureIds.flatMap((id) => world.captures.get(id) ?? [])
  const [capture] = captures
  const waits = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED'
  const unit = order.units[0]
  return [
    html`<code>${order.id}</code>`,
    unit?.invoice_id ?? '',
    unit ? money(unit.amount) : '',
    order.declined ? `${order.status}, declined` : order.status,
    captures
      .map((payment) => `${payment.status} ${money(amountOf(payment.size - payment.refunded, payment.currency))}`)
      .join(', '),
    html`<div class="row">${waits ? action(`/orders/${order.id}/approve`, 'Approve') : ''}${
      capture?.status === 'PENDING'
        ? html`${action(`/captures/${capture.id}/settle`, 'Clear', { status: 'COMPLETED' })}${action(`/captures/${capture.id}/settle`, 'Deny', { status: 'DECLINED' })}`
        : ''
    }${
      capture && (capture.status === 'COMPLETED' || capture.status === 'PARTIALLY_REFUNDED')
        ? action(`/captures/${capture.id}/refund`, 'Refund')
        : ''
    }</div>`,
  ]
}

function effectText(effect: object): string {
  return Object.values(effect).join(' ')
}

function action(path: string, text: string, fields: Record<string, string> = {}): Html {
  return html`<form method="post" action="/__emulator${path}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>${text}</button></form>`
}
