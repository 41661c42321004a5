/**
 * What a visitor typed into a field that a country took away or changed, so that coming back to the country, or loading the
 * page again, brings it back; at the checkout all that was typed. It stays in the tab and is forgotten by the next visit of the
 * page, and where somebody has logged out.
 */

const storageKey = 'vitrine_typed_addresses'

type Typed = Record<string, string>

let typed: Typed | undefined

/** @param when what the text belongs to: a country, or '' for any */
export function storeTypedValue(fieldId: string, when: string, text: string): void {
  const all = everything()
  all[keyOf(fieldId, when)] = text
  store(all)
}

function store(all: Typed): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all))
  } catch {
    // Storage is full or forbidden: it holds until the page is left.
  }
}

/** Whoever sits here next has typed none of it. */
export function clearTypedValues(): void {
  typed = {}
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

export function typedValueBefore(fieldId: string, when: string): string | undefined {
  const all = everything()
  const key = keyOf(fieldId, when)
  return Object.hasOwn(all, key) ? all[key] : undefined
}

function everything(): Typed {
  if (typed) return typed
  typed = stored()
  if (isSameVisit()) return typed
  // What belongs to other pages is for whoever comes back to them.
  for (const key in typed) if (key.startsWith(location.pathname)) delete typed[key]
  store(typed)
  return typed
}

function stored(): Typed {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    // Proof of the cast: written above, by this site alone.
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
