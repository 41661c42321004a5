import { searchHooks } from '#contract/shared/drawer-hooks.ts'
import { Listbox } from '../../runtime/listbox.ts'
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

  const options = () => [...place.querySelectorAll<HTMLElement>('[role=option]')]

  const listbox = new Listbox({
    options,
    field,
    passesField: true,
    activated(option, before) {
      before?.setAttribute('aria-selected', 'false')
      option?.setAttribute('aria-selected', 'true')
    },
    choose(option) {
      option?.click()
      return option !== undefined
    },
    // Escape closes the list first, then the drawer.
    close() {
      stop()
      show(atFirst)
    },
  })

  function show(nodes: readonly Node[]): void {
    listbox.activate(undefined)
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
    if (field.getAttribute('aria-expanded') === 'true') listbox.onKey(event)
  })
  if (field.value) typed()
}
