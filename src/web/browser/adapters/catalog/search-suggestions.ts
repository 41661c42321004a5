import { searchHooks } from '#contract/shared/hooks.ts'
import { request } from '../../runtime/request.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'

const askAfterMs = 150

/**
 * Adds suggestions to a search field: a combobox with a list of links, which the shop returns as markup. The focus
 * stays in the field. After any failure the field still submits its form.
 */
export function startSuggestions(field: HTMLInputElement): void {
  const place = field.form?.parentElement?.querySelector(searchHooks.place)
  const address = field.dataset.suggestions
  if (!place || !address) return
  /** The content that is shown while nothing is typed. */
  const atFirst = [...place.childNodes]
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined
  let active: HTMLElement | undefined

  const options = () => [...place.querySelectorAll<HTMLElement>('[role=option]')]

  function choose(option: HTMLElement | undefined): void {
    active?.setAttribute('aria-selected', 'false')
    active = option
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
  }

  function show(nodes: readonly Node[]): void {
    choose(undefined)
    place?.replaceChildren(...nodes)
    field.setAttribute('aria-expanded', String(options().length > 0))
    const status = field.closest('dialog')?.querySelector('[role=status]')
    if (status) status.textContent = place?.querySelector(searchHooks.announcement)?.textContent ?? ''
  }

  /** A request in progress belongs to the previous term. */
  function stop(): void {
    clearTimeout(timer)
    asking?.abort()
  }

  async function ask(term: string): Promise<void> {
    asking = new AbortController()
    const { signal } = asking
    try {
      const { ok, text } = await request(`${address}?${new URLSearchParams({ term })}`, { signal })
      if (!ok || signal.aborted) return
      show([...parseMarkup(text).childNodes])
    } catch {
      // A newer term, or no connection: the field works without suggestions.
    }
  }

  function typed(): void {
    stop()
    const term = field.value.trim()
    if (term) timer = setTimeout(() => void ask(term), askAfterMs)
    else show(atFirst)
  }

  field.addEventListener('input', typed)
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || field.getAttribute('aria-expanded') !== 'true') return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      const all = options()
      // The field itself follows both ends of the list.
      const at = active ? all.indexOf(active) : key === 'ArrowDown' ? -1 : all.length
      choose(all[at + (key === 'ArrowDown' ? 1 : -1)])
    } else if (key === 'Enter' && active) {
      event.preventDefault()
      active.click()
    } else if (key === 'Escape') {
      // Escape closes the list first, then the drawer.
      event.preventDefault()
      stop()
      show(atFirst)
    }
  })
  if (field.value) typed()
}
