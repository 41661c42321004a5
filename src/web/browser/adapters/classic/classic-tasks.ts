/** Scripts of the classic storefront to which the shop's own scripts defer if the page has them at start. */
const leftToTheirs = ['add-to-cart-variation', 'country-select', 'address-i18n', 'password-strength-meter']

/** The shop's scripts do the same: requests would be sent twice. */
const mustNotCome = [
  'add-payment-method',
  'add-to-cart',
  'cart',
  'cart-fragments',
  'checkout',
  'geolocation',
  'lost-password',
  'order-attribution',
  'single-product',
  'sourcebuster',
  'tokenization-form',
  'woocommerce',
]

const seen = new Set<string>()

/** Warns developers once about each classic script that duplicates a script of the shop. */
export function warnOfDoubles(): void {
  for (const file of classicFiles()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (mustNotCome.includes(file)) warn(file, 'does what the shop’s own scripts do: take it off the page')
    else if (leftToTheirs.includes(file) && document.readyState === 'complete')
      warn(file, 'came after the shop’s own script had begun its task: put it into the page itself')
  }
}

function warn(file: string, what: string): void {
  console.warn(`Warning: ${file}.js ${what}, or calls and events come twice (docs/reference/page-scripts.md).`)
}

function classicFiles(): string[] {
  return [...document.scripts].flatMap(({ src }) => /\/([\w-]+?)(?:\.min)?\.js(?:$|[?#])/.exec(src)?.[1] ?? [])
}
