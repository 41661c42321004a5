import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Env } from '../rest/operation.ts'
import type { ChallengeEnd } from '../vault/authentication.ts'
import {
  type AwaitedAuthentication,
  awaitedAuthentication,
  finishAuthentication,
} from '../vault/finish-authentication.ts'
import { money } from '../wallet/pages.ts'
import type { World } from '../world/world.ts'
import { browserCode } from './browser-code.ts'

type Html = ReturnType<typeof html>

// No form-action: the answer to a form may send the buyer on to the shop, which is another origin.
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'"
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
const ENDS: readonly ChallengeEnd[] = ['succeeded', 'failed', 'by itself']

/** The page of a card's bank: plain forms, in a dialog over the shop's page or as the whole page. */
export function serveThreeDSecure(app: Hono<Env>, world: World): void {
  const show = (context: Context<Env>, page: Html, status: 200 | 404 | 422 = 200) => context.html(page, status, HEADERS)

  app.get('/threedsecure', (context) => {
    const token = context.req.query('token') ?? ''
    const awaited = awaitedAuthentication(world, token)
    if (!awaited) return show(context, expiredPage(), 404)
    return show(context, awaited.card.challenge?.page === 'asks' ? askPage(token, awaited) : waitPage(token, awaited))
  })

  app.post('/threedsecure', async (context) => {
    const form = await context.req.parseBody()
    const token = typeof form.token === 'string' ? form.token : ''
    const awaited = awaitedAuthentication(world, token)
    if (!awaited) return show(context, expiredPage(), 404)
    const alone = form.mode !== 'dialog'
    if (form.end === 'cancel') return leave(context, alone ? awaited.cancelUrl : undefined, token, 'close')
    const end = ENDS.find((candidate) => candidate === form.end)
    if (!end) return show(context, askPage(token, awaited), 422)
    finishAuthentication(world, token, end)
    return leave(context, alone ? awaited.returnUrl : undefined, token, 'done')
  })

  function leave(context: Context<Env>, address: string | undefined, token: string, outcome: 'done' | 'close') {
    if (address === undefined) return show(context, endPage(outcome))
    const url = new URL(address)
    url.searchParams.set('token', token)
    return context.redirect(url.href, 303)
  }

  const code = browserCode(new URL('./browser/', import.meta.url), ['line.ts', 'threeds-frame.ts'])
  const script = `(function () {\n'use strict';\n${code}\nrunBank();\n})();\n`
  const styles = readFileSync(new URL('./dialog.css', import.meta.url), 'utf8')
  app.get('/threedsecure/bank.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/sdk/dialog.css', (context) => context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

function bankPage(title: string, content: Html, outcome = ''): Html {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Example Bank</title><link rel="stylesheet" href="/sdk/dialog.css"></head>
<body class="bank" data-outcome="${outcome}"><main class="sheet">
<header><b class="bank-mark">Example Bank</b><span class="quiet">3-D Secure</span></header>
${content}
<footer>PayPal emulator · no real bank, no real money</footer></main>
${raw('<script src="/threedsecure/bank.js"></script>')}
</body></html>`
}

function facts({ card, amount, brandName }: AwaitedAuthentication): Html {
  return html`<dl>${brandName ? html`<dt>Shop</dt><dd>${brandName}</dd>` : ''}
${amount ? html`<dt>Amount</dt><dd>${money(amount)}</dd>` : html`<dt>Purpose</dt><dd>Saving your card</dd>`}
<dt>Card</dt><dd>${card.brand} ·· ${card.lastDigits}</dd></dl>`
}

function hidden(token: string): Html {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="mode" value="page">`
}

function askPage(token: string, awaited: AwaitedAuthentication): Html {
  return bankPage(
    'Confirm',
    html`<h1>Is this you?</h1><p>Your bank asks before your card is used.</p>${facts(awaited)}
<form method="post" action="/threedsecure">${hidden(token)}
<button name="end" value="succeeded" id="bank-confirm">Confirm</button>
<button name="end" value="failed" id="bank-fail" class="second">This is not me</button>
<button name="end" value="cancel" id="bank-cancel" class="plain">Cancel</button></form>`,
  )
}

/** The bank decides without its customer; its script sends the form by itself. */
function waitPage(token: string, awaited: AwaitedAuthentication): Html {
  return bankPage(
    'One moment',
    html`<h1>One moment</h1><p role="status">Your bank is checking your card.</p>${facts(awaited)}
<form method="post" action="/threedsecure" data-by-itself>${hidden(token)}
<input type="hidden" name="end" value="by itself"><button>Continue</button></form>`,
  )
}

function endPage(outcome: 'done' | 'close'): Html {
  const text = outcome === 'done' ? 'Thank you. Returning to the shop.' : 'You have cancelled.'
  return bankPage('Done', html`<p role="status">${text}</p>`, outcome)
}

function expiredPage(): Html {
  return bankPage(
    'Gone',
    html`<h1>There is nothing to confirm</h1><p>Go back to the shop and start again.</p>
<button type="button" id="bank-close" class="second">Close</button>`,
  )
}
