import { searchHooks } from '#contract/shared/drawer-hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { listKeys } from '../../runtime/list-keys.ts'
import { request } from '../../runtime/request.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'

const askAfterMs = 150

/**
 * Adds suggestions to a search field: a combobox with a list of links, which the shop returns as markup, since only the
 * server writes prices and pictures. The focus stays in the field. After any failure the field still submits its form.
 */
export function startSuggestions(field: HTMLInputElement): void {
  const place = field.form?.parentElement?.querySelector<HTMLElement>(searchHooks.place)
  const address = field.dataset.suggestions
  if (!place || !address) return
  /** The content that is shown while nothing is typed. */
  const atFirst = [...place.childNodes]
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  const keys = listKeys()
  const options = () => allOf('[role=option]', place)
  const isActive = (option: HTMLElement) => option.ariaSelected === 'true'

  function activate(option: HTMLElement | undefined): void {
    for (const one of options()) one.ariaSelected = String(one === option)
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  /** The link that the visitor has moved to stays active where a later answer has it as well. */
  function show(nodes: readonly Node[]): void {
    const before = options().find(isActive)?.getAttribute('href')
    place?.replaceChildren(...nodes)
    activate(before ? options().find((option) => option.getAttribute('href') === before) : undefined)
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

  function onKey(event: KeyboardEvent): void {
    const list = options()
    const active = list.findIndex(isActive)
    const step = keys(event, { count: list.length, active, hasField: true, passesField: true })
    if (step === undefined || step === 'leave' || (step === 'choose' && active === -1)) return
    event.preventDefault()
    event.stopPropagation()
    if (step === 'choose') list[active]?.click()
    else if (step !== 'close') activate(list[step])
    else {
      // Escape closes the list first, then the drawer.
      stop()
      show(atFirst)
    }
  }

  field.addEventListener('input', typed)
  field.addEventListener('keydown', (event) => {
    if (field.getAttribute('aria-expanded') === 'true') onKey(event)
  })
  if (field.value) typed()
}
