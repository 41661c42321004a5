import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { notFound } from '../rest/error-bodies.ts'
import { issueToken } from '../rest/oauth.ts'
import { type Env, type Operation, serve } from '../rest/operation.ts'
import type { CardRequest } from '../vault/cards.ts'
import { confirmSetupToken } from '../vault/vault.ts'
import { setupTokenView } from '../vault/vault-view.ts'
import type { World } from '../world/world.ts'
import { browserCode } from './browser-code.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
const FOLDER = new URL('./browser/', import.meta.url)
const LANGUAGES = ['en', 'de', 'fr', 'es']

type FieldLook = { autocomplete: string; inputmode: string; longest: number; labels: Record<string, string> }

/** Each field as browsers fill it in and as it reads aloud; the page around it shows labels of its own. */
const FIELDS: Record<string, FieldLook> = {
  name: look('cc-name', 'text', 300, [
    'Cardholder name',
    'Name des Karteninhabers',
    'Nom du titulaire',
    'Nombre del titular',
  ]),
  number: look('cc-number', 'numeric', 23, ['Card number', 'Kartennummer', 'Numéro de carte', 'Número de tarjeta']),
  expiry: look('cc-exp', 'numeric', 9, ['Expiration date', 'Ablaufdatum', 'Date d’expiration', 'Fecha de caducidad']),
  cvv: look('cc-csc', 'numeric', 4, ['Security code', 'Prüfnummer', 'Code de sécurité', 'Código de seguridad']),
}

function look(autocomplete: string, inputmode: string, longest: number, texts: readonly string[]): FieldLook {
  return {
    autocomplete,
    inputmode,
    longest,
    labels: Object.fromEntries(LANGUAGES.map((language, i) => [language, texts[i] ?? ''])),
  }
}

/** The document inside the frame of one of a card's fields. */
function fieldPage(query: URLSearchParams, token: string) {
  const wanted = query.get('field') ?? ''
  const field = Object.hasOwn(FIELDS, wanted) ? wanted : 'number'
  const { autocomplete, inputmode, longest, labels } = FIELDS[field] ?? look('off', 'text', 300, [])
  const given = (query.get('locale') ?? 'en').slice(0, 2)
  const language = LANGUAGES.includes(given) ? given : 'en'
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${labels[language]}</title><link rel="stylesheet" href="/sdk/card-field.css"></head>
<body data-field="${field}" data-group="${query.get('group') ?? ''}" data-token="${token}">
<input class="card-field-${field}" type="text" name="${field}" aria-label="${labels[language]}" aria-describedby="message" aria-required="${field === 'name' ? 'false' : 'true'}" autocomplete="${autocomplete}" inputmode="${inputmode}" maxlength="${longest}" autocorrect="off" spellcheck="false">
<span id="message" class="unseen" role="status"></span>
${raw('<script src="/sdk/card-field.js"></script>')}
</body>
</html>`
}

/** A card for a setup token: what the real script says in a language of its own, in that of the REST interface. */
const handInCard: Operation = {
  name: 'sdk.card-field.setup-token',
  method: 'POST',
  path: '/sdk/card-field/setup-tokens/:id',
  errors: { document: 'checkout_orders_v2', prefix: '' },
  run: ({ world, params, body }) => {
    const id = params.id ?? ''
    // Sent by the frame of a field alone; what it holds is checked when the card is read.
    const { payment_source } = body as { payment_source?: { card?: CardRequest } }
    const token = confirmSetupToken(world, id, payment_source?.card ?? {})
    if (!token) throw notFound(id, 'setup_token_id')
    return { status: 200, show: () => setupTokenView(world, token) }
  },
}

/** The frames of the script's card fields. */
export function serveCardFields(app: Hono<Env>, world: World): void {
  serve(app, world, handInCard)
  const code = browserCode(FOLDER, ['line.ts', 'card-frame-rules.ts', 'card-fields-style.ts', 'card-frame.ts'])
  const script = `(function () {\n'use strict';\n${code}\nrunCardFrame(document.body.dataset.token);\n})();\n`
  const styles = readFileSync(new URL('./card-field.css', import.meta.url), 'utf8')

  app.get('/sdk/card-field', async (context) => {
    const fault = world.faults.take('sdk.card-field', 'GET', '/sdk/card-field')
    if (fault?.kind === 'delay') await world.sleep(fault.ms)
    if (fault?.kind === 'status') return new Response('', { status: fault.status })
    return context.html(fieldPage(new URL(context.req.url).searchParams, issueToken(world)), 200, {
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    })
  })
  app.get('/sdk/card-field.js', (context) =>
    context.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/sdk/card-field.css', (context) => context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }))
}
