import { type EligibilitySettings, isEligible, STACK_SOURCES } from './eligibility.ts'

export type MarksOptions = { fundingSource?: string }

export type Marks = {
  isEligible(): boolean
  render(container: string | HTMLElement): Promise<void>
}

const MARK_HEIGHT_PX = 20

/** What a mark says and how it looks. */
const MARK_LOOKS: Record<string, { label: string; text: string; color: string }> = {
  paypal: { label: 'PayPal', text: 'PayPal', color: '#003087' },
  venmo: { label: 'Venmo', text: 'venmo', color: '#008cff' },
  paylater: { label: 'Pay Later', text: 'Pay Later', color: '#003087' },
  card: { label: 'Debit or credit card', text: '•••• CARD', color: '#2c2e2f' },
}

/** Signs of funding sources beside radio buttons. They stand in the page itself, not in a frame. */
export function createMarks(settings: EligibilitySettings, { fundingSource }: MarksOptions): Marks {
  const eligible = () => fundingSource === undefined || isEligible(settings, fundingSource, 'purchase')
  return {
    isEligible: eligible,
    async render(container) {
      if (!eligible()) throw new Error(`${fundingSource ?? 'marks'} not eligible`)
      const place = typeof container === 'string' ? document.querySelector(container) : container
      if (!place) throw new Error(`Can not find element ${String(container)}`)
      const sources =
        fundingSource === undefined
          ? STACK_SOURCES.filter((source) => isEligible(settings, source, 'purchase'))
          : [fundingSource]
      const box = document.createElement('div')
      box.append(...sources.map(markOf))
      place.append(box)
    },
  }
}

function markOf(source: string): HTMLElement {
  const look = MARK_LOOKS[source] ?? { label: source, text: source, color: '#2c2e2f' }
  const mark = document.createElement('span')
  mark.className = `paypal-mark paypal-mark-${source}`
  mark.setAttribute('role', 'img')
  mark.setAttribute('aria-label', look.label)
  mark.textContent = look.text
  Object.assign(mark.style, {
    boxSizing: 'border-box',
    display: 'inline-block',
    height: `${MARK_HEIGHT_PX}px`,
    marginInlineEnd: '4px',
    padding: '0 6px',
    border: '1px solid #ccc',
    borderRadius: '3px',
    background: '#fff',
    color: look.color,
    font: `bold 12px/${MARK_HEIGHT_PX - 2}px sans-serif`,
    verticalAlign: 'middle',
  })
  return mark
}
