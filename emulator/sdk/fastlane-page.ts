import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Env } from '../rest/operation.ts'
import type { World } from '../world/world.ts'
import { browserCode } from './browser-code.ts'
import { serveFastlaneApi } from './fastlane-api.ts'
import { type FastlaneLocale, type FastlaneText, fastlaneLocale, fastlaneTexts } from './fastlane-texts.ts'

type Html = ReturnType<typeof html>
type Texts = Readonly<Record<FastlaneText, string>>

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
const FOLDER = new URL('./browser/', import.meta.url)
const FRAME_FILES = [
  'line.ts',
  'card-frame-rules.ts',
  'fastlane-wire.ts',
  'fastlane-card-form.ts',
  'fastlane-choices.ts',
  'fastlane-frame.ts',
]

/** The frames of accelerated checkout and what they ask. */
export function serveFastlane(app: Hono<Env>, world: World): void {
  serveFastlaneApi(app, world)
  const script = `(function () {\n'use strict';\n${browserCode(FOLDER, FRAME_FILES)}\nrunFastlaneFrame();\n})();\n`
  const styles = readFileSync(new URL('./fastlane.css', import.meta.url), 'utf8')

  app.get('/sdk/fastlane/frame/:kind', (context) => {
    const page = PAGES[context.req.param('kind')]
    if (!page) return context.text('Not found', 404)
    const query = new URL(context.req.url).searchParams
    const locale = fastlaneLocale(query.get('locale'))
    const kind = context.req.param('kind')
    return context.html(framed(kind, locale, page(fastlaneTexts(locale), query)), 200, {
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    })
  })
  app.get('/sdk/fastlane.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/sdk/fastlane.css', (context) => context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
}

/** By the kind of a frame. */
const PAGES: Record<string, (texts: Texts, query: URLSearchParams) => Html> = {
  line: () => html``,
  watermark: (texts, query) =>
    html`<p class="watermark">${MARK}${
      query.has('info')
        ? html`<button type="button" class="info" aria-expanded="false" aria-controls="about" aria-label="${texts.aboutLabel}">i</button>`
        : ''
    }</p><p id="about" hidden>${texts.about}</p>`,
  card: (texts, query) => html`<form novalidate>${chosenCard(texts)}${cardInputs(texts, query)}</form>`,
  payment: (texts, query) =>
    html`<form novalidate>${chosenCard(texts)}${cardInputs(texts, query)}
<fieldset class="new-card" id="billing"><legend>${texts.billing}</legend>
<label class="tick" id="same" hidden><input type="checkbox" name="same" checked> ${texts.same}</label>
<div class="address">${addressInputs(texts)}</div></fieldset></form>`,
  code: (texts) =>
    dialog(
      texts,
      texts.codeTitle,
      html`<p id="sent" data-text="${texts.codeSent}"></p>
<form novalidate data-wrong="${texts.codeWrong}">${field('code', texts.code, 'one-time-code', 6, 'numeric')}
<p class="problem" role="alert" data-failed="${texts.failed}"></p><button>${texts.go}</button>
<button type="button" class="plain" data-close>${texts.later}</button></form>`,
    ),
  addresses: (texts) =>
    dialog(
      texts,
      texts.addressTitle,
      html`<form novalidate data-wrong="${texts.wrong}" data-refused="${texts.notHere}"><div class="choices" role="radiogroup" aria-label="${texts.addressTitle}"></div>
${otherChoice(texts.addressNew)}
<div class="new" hidden>${field('firstName', texts.firstName, 'given-name')}${field('lastName', texts.lastName, 'family-name')}
${addressInputs(texts)}${field('phone', texts.phone, 'tel', 20, 'tel')}</div>
<p class="problem" role="alert" data-failed="${texts.failed}"></p><button>${texts.use}</button></form>`,
    ),
  cards: (texts) =>
    dialog(
      texts,
      texts.cardTitle,
      html`<form novalidate data-refused="${texts.notTaken}"><div class="choices" role="radiogroup" aria-label="${texts.cardTitle}"></div>
${otherChoice(texts.cardNew)}
<div class="new" hidden>${cardInputs(texts, new URLSearchParams('name=1'))}${field('postalCode', texts.zip, 'billing postal-code', 12)}</div>
<p class="problem" role="alert" data-failed="${texts.failed}"></p><button>${texts.use}</button></form>`,
    ),
}

const MARK = html`<span class="mark"><b>Fastlane</b> <span>by</span> <i>PayPal</i></span>`

function framed(kind: string, locale: FastlaneLocale, content: Html): Html {
  return html`<!doctype html>
<html lang="${locale.slice(0, 2)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fastlane</title>${DIALOGS.includes(kind) ? html`<link rel="stylesheet" href="/sdk/dialog.css">` : ''}<link rel="stylesheet" href="/sdk/fastlane.css"></head>
<body data-kind="${kind}" class="${DIALOGS.includes(kind) ? 'layer' : 'part'}">${content}
${raw('<script src="/sdk/fastlane.js"></script>')}
</body></html>`
}

const DIALOGS = ['code', 'addresses', 'cards']

function dialog(texts: Texts, title: string, content: Html): Html {
  return html`<main class="sheet"><header>${MARK}<button type="button" class="x" data-close aria-label="${texts.close}">×</button></header>
<h1>${title}</h1>${content}</main>`
}

function otherChoice(label: string): Html {
  return html`<label class="choice"><input type="radio" name="choice" value="new"><span>${label}</span></label>`
}

/** What a member sees instead of the form of a card. */
function chosenCard({ change }: Texts): Html {
  return html`<div class="chosen" hidden><span class="chosen-text"></span><button type="button" class="link">${change}</button></div>`
}

function cardInputs(texts: Texts, query: URLSearchParams): Html {
  return html`<div class="new-card grid" data-wrong="${texts.wrong}">${
    query.has('name') ? field('name', texts.cardholder, 'cc-name') : ''
  }${field('number', texts.number, 'cc-number', 23, 'numeric')}
<div class="two">${field('expiry', texts.expiry, 'cc-exp', 9, 'numeric')}${field('cvv', texts.cvv, 'cc-csc', 4, 'numeric')}</div></div>`
}

function addressInputs(texts: Texts): Html {
  return html`<div class="grid">${field('addressLine1', texts.street, 'address-line1')}${field('addressLine2', texts.flat, 'address-line2')}
${field('adminArea2', texts.city, 'address-level2')}
<div class="two">${field('adminArea1', texts.state, 'address-level1')}${field('postalCode', texts.zip, 'postal-code', 12)}</div>
${field('countryCode', texts.country, 'country', 2, 'text', 'US')}</div>`
}

function field(name: string, label: string, autocomplete: string, longest = 120, mode = 'text', value = ''): Html {
  return html`<label class="field"><span>${label}</span><input name="${name}" type="text" autocomplete="${autocomplete}" inputmode="${mode}" maxlength="${longest}" value="${value}"></label>`
}
