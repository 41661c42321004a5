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
const COLORS = ['gold', 'blue', 'silver', 'black', 'white']
const SHAPES = ['rect', 'pill', 'sharp']

/** The document inside a button's frame. The look comes by query; the script holds a token for the order's calls. */
export function framePage(query: URLSearchParams, token: string) {
  const one = (key: string, allowed: readonly string[]) =>
    allowed.find((value) => value === query.get(key)) ?? allowed[0]
  const number = (key: string) => (/^\d+(\.\d+)?$/.test(query.get(key) ?? '') ? (query.get(key) ?? '') : '')
  const language = (query.get('locale') ?? 'en').slice(0, 2)
  const words = LABELS[language] ?? LABELS.en ?? {}
  const label = words[query.get('label') ?? 'paypal'] ?? LABELS.en?.[query.get('label') ?? 'paypal'] ?? '%'
  const [before = '', after = ''] = label.split('%')
  const tagline = query.get('tagline') === 'true' ? html`<p class="tagline">The safer, easier way to pay</p>` : ''
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>PayPal</title><link rel="stylesheet" href="/sdk/frame.css"></head>
<body data-height="${number('height')}" data-radius="${number('radius')}" data-token="${token}">
<div class="paypal-button-container"><button type="button" class="paypal-button paypal-button-number-0 color-${one('color', COLORS)} shape-${one('shape', SHAPES)}" data-funding-source="paypal" aria-label="${label.replace('%', 'PayPal')}"><span class="words">${before.trim() ? html`<span>${before.trim()}</span>` : ''}<span class="mark" aria-hidden="true"><b>Pay</b><i>Pal</i></span>${after.trim() ? html`<span>${after.trim()}</span>` : ''}</span></button>${tagline}</div>
${raw('<script src="/sdk/frame.js"></script>')}
</body>
</html>`
}
