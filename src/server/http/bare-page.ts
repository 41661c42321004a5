import { createHash } from 'node:crypto'

export type BarePage = {
  readonly language: { readonly tag: string; readonly dir: 'ltr' | 'rtl' }
  readonly title: string
  readonly said: readonly string[]
  /** Target of the only link: a path of the shop, whatever it begins with. */
  readonly link: { readonly address: string; readonly text: string }
}

/** All bare pages share one stylesheet, so a content security policy can name it by its hash. */
const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.6 system-ui,sans-serif}
main{max-width:34rem;padding:2rem 1.5rem;text-align:center;text-wrap:balance}
h1{margin:0 0 1rem;font:500 2rem/1.2 ui-serif,Georgia,serif}
a{display:inline-block;margin-top:.5rem;padding:.75rem 1.5rem;border:1px solid;border-radius:3px;color:inherit;text-decoration:none}
a:focus-visible{outline:3px solid;outline-offset:3px}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** Content security policy of a response that contains only a bare page. */
export const barePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`

/** Renders a page without database, theme or further requests, for moments of overload or failure. */
export function barePage({ language: { tag, dir }, title, said, link }: BarePage): string {
  const heading = escaped(title)
  return `<!doctype html>
<html lang="${escaped(tag)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${said.map((words) => `<p>${escaped(words)}</p>`).join('\n')}
<p><a href="${escaped(ownPath(link.address))}">${escaped(link.text)}</a></p>
</main>
</body>
</html>
`
}

/** Returns a path that browsers cannot take for a protocol-relative URL. */
const ownPath = (address: string) => `/${address.replace(/^[/\\]+/, '')}`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
