import { html, raw } from 'hono/html'

/** Words around the word mark, by language and label; `%` is the mark. */
const LABELS: Record<string, Record<string, string>> = {
  en: {
    paypal: '%',
    checkout: '% Checkout',
    buynow: '% Buy Now',
    pay: 'Pay with %',
    subscribe: '% Subscribe',
    donate: '% Donate',
  },
  de: { paypal: '%', checkout: 'Direkt zu %', buynow: 'Jetzt kaufen mit %', pay: 'Mit % zahlen' },
  fr: { paypal: '%', checkout: 'Payer avec %', buynow: 'Acheter avec %', pay: 'Payer avec %' },
  es: { paypal: '%', checkout: 'Pagar con %', buynow: 'Comprar ahora con %', pay: 'Pagar con %' },
}
/** Buttons of other sources say the same whatever the label. */
const SOURCE_LABELS: Record<string, Record<string, string>> = {
  en: { paylater: 'Pay Later', venmo: 'Venmo', card: 'Debit or Credit Card' },
  de: { paylater: 'Später Bezahlen', card: 'Debit- oder Kreditkarte' },
  fr: { paylater: 'Payer en plusieurs fois', card: 'Carte bancaire' },
  es: { paylater: 'Paga a plazos', card: 'Tarjeta de débito o crédito' },
}
/** By source; the first stands in where a stack's colour does not exist for one of its buttons. */
const COLORS: Record<string, readonly string[]> = {
  paypal: ['gold', 'blue', 'silver', 'black', 'white'],
  paylater: ['gold', 'blue', 'silver', 'black', 'white'],
  venmo: ['blue', 'silver', 'black', 'white'],
  card: ['black', 'white'],
}
const SHAPES = ['rect', 'pill', 'sharp']

const MARK = raw('<span class="mark wordmark" aria-hidden="true"><b>Pay</b><i>Pal</i></span>')
const MONOGRAM = raw('<span class="mark" aria-hidden="true"><b>P</b><i>P</i></span>')
const VENMO = raw('<span class="venmo" aria-hidden="true">venmo</span>')
const CARD = raw(
  '<svg class="plastic" viewBox="0 0 24 16" aria-hidden="true"><rect x=".75" y=".75" width="22.5" height="14.5" rx="2.5" ' +
    'fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M1 5.5h22" stroke="currentColor" stroke-width="2.5"/></svg>',
)

/** The document inside the frame of a button or a stack. The look comes by query; the script holds a token for calls. */
export function framePage(query: URLSearchParams, token: string) {
  const number = (key: string) => (/^\d+(\.\d+)?$/.test(query.get(key) ?? '') ? (query.get(key) ?? '') : '')
  const language = (query.get('locale') ?? 'en').slice(0, 2)
  const isStack = !query.get('source')
  const sources = (query.get('source') || query.get('stack') || 'paypal')
    .split(',')
    .filter((source) => Object.hasOwn(COLORS, source))
  const layout = query.get('layout') === 'horizontal' ? 'horizontal' : 'vertical'
  const slogan =
    query.get('tagline') === 'true'
      ? 'The safer, easier way to pay'
      : layout === 'vertical' && sources.includes('card')
        ? 'Powered by PayPal'
        : ''
  const buttons = sources.map((source, index) =>
    oneButton({ source, index, language, shape: oneOf(SHAPES, query.get('shape')), query }),
  )
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>PayPal</title><link rel="stylesheet" href="/sdk/frame.css"></head>
<body data-height="${number('height')}" data-radius="${number('radius')}" data-layout="${isStack ? layout : 'vertical'}" data-token="${token}">
<div class="paypal-button-container ${isStack ? layout : ''}">${buttons}</div>${slogan ? html`<p class="tagline">${slogan}</p>` : ''}
${raw('<script src="/sdk/frame.js"></script>')}
</body>
</html>`
}

type Look = { source: string; index: number; language: string; shape: string; query: URLSearchParams }

function oneButton({ source, index, language, shape, query }: Look) {
  const own = SOURCE_LABELS[language]?.[source] ?? SOURCE_LABELS.en?.[source]
  const wanted = query.get('label') ?? 'paypal'
  const label = own ?? LABELS[language]?.[wanted] ?? LABELS.en?.[wanted] ?? '%'
  const classes = `paypal-button paypal-button-number-${index} color-${oneOf(COLORS[source] ?? [], query.get('color'))} shape-${shape}`
  return html`<button type="button" class="${classes}" data-funding-source="${source}" aria-label="${label.replace('%', 'PayPal')}"><span class="words">${words(source, label)}</span></button>`
}

function words(source: string, label: string) {
  if (source === 'venmo') return VENMO
  if (source === 'card') return html`${CARD}<span>${label}</span>`
  if (source === 'paylater') return html`${MONOGRAM}<span>${label}</span>`
  const [before = '', after = ''] = label.split('%').map((part) => part.trim())
  return html`${before && html`<span>${before}</span>`}${MARK}${after && html`<span>${after}</span>`}`
}

function oneOf(allowed: readonly string[], wanted: string | null): string {
  return allowed.find((value) => value === wanted) ?? allowed[0] ?? ''
}
