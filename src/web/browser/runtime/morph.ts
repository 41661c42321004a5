import { Idiomorph } from 'idiomorph'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { isIsland, type LiveIsland, liveIslandsIn } from './island-element.ts'
import { islandTag } from './island-tag.ts'
import type { ReplaceOptions } from './replace-markup.ts'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Changes an element into another, keeping every node that both have: with it focus, selection, typed text and islands. */
export function morph(target: Element, next: Element, { keepTyped = true }: ReplaceOptions = {}): void {
  const unpair = pairIslands(target, next)
  const unmark = setAddedApart(target)
  const kept = new WeakSet<Node>()
  Idiomorph.morph(target, next, {
    morphStyle: 'outerHTML',
    callbacks: {
      beforeNodeMorphed(before, after) {
        if (before instanceof HTMLElement && islands.has(before) && after instanceof Element) {
          takeProps(before, after)
          return false
        }
        if (keepTyped && isField(before) && isField(after) && keeps(before, after)) kept.add(before)
        return true
      },
      // The server knows nothing of what the browser has put in: it goes with what it stands in, and not before.
      beforeNodeRemoved: (node) => !(node instanceof Element && node.hasAttribute(addedAttribute)),
      afterNodeMorphed(before) {
        if (isIsland(before)) before.settle()
      },
      beforeAttributeUpdated(name, element) {
        // Open or closed is the visitor's choice once the page stands.
        if (name === 'open') return false
        if (name !== 'value' && name !== 'checked' && name !== 'selected') return true
        return !kept.has(element instanceof HTMLOptionElement ? (element.closest('select') ?? element) : element)
      },
    },
  })
  unmark()
  unpair()
}

/**
 * Nodes without an id are paired by their name alone, so that a new `div` of the server's would grow out of one that the browser has
 * put in, and go with it. One with an id is only ever paired with the same.
 */
function setAddedApart(target: Element): () => void {
  const added = [...target.querySelectorAll(`[${addedAttribute}]:not([id])`)]
  for (const [index, element] of added.entries()) element.id = `added-${index}-apart`
  return () => {
    for (const element of added) element.removeAttribute('id')
  }
}

/** The running islands of the morph under way. */
const islands = new WeakSet<Node>()

/**
 * Gives running islands and their new markup the same id, so that they find each other, and empties the latter: what is
 * inside belongs to the island. Islands that the new markup no longer has end before their nodes go.
 */
function pairIslands(target: Element, next: Element): () => void {
  const coming = [...next.querySelectorAll(islandTag)]
  const undo: (() => unknown)[] = []
  for (const island of liveIslandsIn(target)) {
    if (island.closest(`[${addedAttribute}]`)) continue
    const index = coming.findIndex((other) => sameIsland(island, other))
    const [twin] = index < 0 ? [] : coming.splice(index, 1)
    if (!twin) {
      island.retire()
      // Its element may be used for another island of that name.
      undo.push(() => island.isConnected && island.connectedCallback())
      continue
    }
    // Those inside the twin are its own affair.
    for (const inner of twin.querySelectorAll(islandTag)) coming.splice(coming.indexOf(inner), 1)
    twin.replaceChildren()
    islands.add(island)
    if (!island.id) {
      island.id = twin.id = `island-${undo.length}-paired`
      undo.push(() => island.removeAttribute('id'))
    }
    undo.push(() => islands.delete(island))
  }
  return () => {
    for (const step of undo) step()
  }
}

function sameIsland(island: LiveIsland, other: Element): boolean {
  return island.getAttribute('name') === other.getAttribute('name') && island.id === other.id
}

function takeProps(island: HTMLElement, next: Element): void {
  island.className = next.className
  const props = next.getAttribute('props')
  if (props !== null && props !== island.getAttribute('props')) island.setAttribute('props', props)
}

function isField(node: Node): node is Field {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement
}

/** A changed field keeps its value while the visitor is in it, or when the answer says what was there before the change. */
function keeps(before: Field, after: Field): boolean {
  const was = initialValue(before)
  return currentValue(before) !== was && (before === document.activeElement || initialValue(after) === was)
}

function initialValue(field: Field): string {
  if (field instanceof HTMLSelectElement) {
    return valuesOf([...field.options].filter((option) => option.defaultSelected))
  }
  return isTick(field) ? String(field.defaultChecked) : field.defaultValue
}

function currentValue(field: Field): string {
  if (field instanceof HTMLSelectElement) return valuesOf([...field.selectedOptions])
  return isTick(field) ? String(field.checked) : field.value
}

function valuesOf(options: readonly HTMLOptionElement[]): string {
  return options.map((option) => option.value).join('\n')
}

function isTick(field: HTMLInputElement | HTMLTextAreaElement): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
}
