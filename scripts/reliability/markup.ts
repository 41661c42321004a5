/** Text that is markup already. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Markup | null | undefined | false | readonly Part[]

/** Markup out of a template: whatever is put into it is text, unless it is markup itself. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(template.map((piece, at) => piece + (at < parts.length ? written(parts[at]) : '')).join(''))
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
