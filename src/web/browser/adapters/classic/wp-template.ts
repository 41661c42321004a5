import { isRecord } from '../../runtime/request.ts'
import { compileTemplate } from './compile-template.ts'

type Template = (id: string) => (data: unknown) => string

/**
 * Defines `wp.template`, which renders the page's templates without eval. The platform's own function, if a script sets
 * it, handles only templates beyond the supported syntax.
 */
export function offerTemplates(): void {
  const known: unknown = Reflect.get(window, 'wp')
  const wp: object = isRecord(known) ? known : {}
  if (wp !== known) Object.assign(window, { wp })
  let theirs: unknown = Reflect.get(wp, 'template')
  const ours: Template = (id) => template(id, theirs)
  Object.defineProperty(wp, 'template', {
    configurable: true,
    enumerable: true,
    get: () => ours,
    set: (other: unknown) => {
      theirs = other
    },
  })
}

const compiled = new Map<string, (data: unknown) => string>()

function template(id: string, theirs: unknown): (data: unknown) => string {
  return (data) => {
    const known = compiled.get(id)
    if (known) return known(data)
    const element = document.getElementById(`tmpl-${id}`)
    if (!element) throw new Error(`Template not found: #tmpl-${id}`)
    try {
      const render = compileTemplate(element.textContent ?? '')
      compiled.set(id, render)
      return render(data)
    } catch (error) {
      // Proof of the cast: scripts that set `wp.template` set the platform's function. It works where the policy allows
      // it.
      if (typeof theirs === 'function') return (theirs as Template)(id)(data)
      throw error
    }
  }
}
