/**
 * Text that a visitor typed into a field which a country removed or changed. It is restored when the country is chosen
 * again or the page is loaded again; the checkout stores all typed text. It stays in the tab, and is cleared by the
 * next visit of the page and by a logout.
 */

const storageKey = 'vitrine_typed_addresses'

type Typed = Record<string, string>

let typed: Typed | undefined

/** @param when the country that the text belongs to, or '' for any */
export function storeTypedValue(fieldId: string, when: string, text: string): void {
  const all = typedValues()
  all[keyOf(fieldId, when)] = text
  store(all)
}

function store(all: Typed): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all))
  } catch {
    // Storage is full or forbidden: the value lasts until the page is left.
  }
}

/** Keeps typed text from the next person at this browser. */
export function clearTypedValues(): void {
  typed = {}
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // A browser without storage has nothing to clear.
  }
}

export function typedValueBefore(fieldId: string, when: string): string | undefined {
  const all = typedValues()
  const key = keyOf(fieldId, when)
  return Object.hasOwn(all, key) ? all[key] : undefined
}

function typedValues(): Typed {
  if (typed) return typed
  typed = readStorage()
  if (isSameVisit()) return typed
  // Entries of other pages stay for a return to those pages.
  for (const key in typed) if (key.startsWith(location.pathname)) delete typed[key]
  store(typed)
  return typed
}

function readStorage(): Typed {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    // Proof of the cast: only this site writes the value, in the function above.
    return typeof all === 'object' && all !== null ? (all as Typed) : {}
  } catch {
    return {}
  }
}

function isSameVisit(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate'
}

function keyOf(fieldId: string, when: string): string {
  return [location.pathname, fieldId, when].join(' ')
}
