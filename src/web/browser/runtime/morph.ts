import { Idiomorph } from 'idiomorph'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { isIsland, type LiveIsland, liveIslandsIn } from './island-element.ts'
import { islandTag } from './island-tag.ts'
import type { ReplaceOptions } from './replace-markup.ts'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Changes an element into another, keeping all common nodes with their focus, selection, typed text and islands. */
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
      // The server does not know nodes that the browser has added: they are removed only with their parent.
      beforeNodeRemoved: (node) => !(node instanceof Element && node.hasAttribute(addedAttribute)),
      afterNodeMorphed(before) {
        if (isIsland(before)) before.settle()
      },
      beforeAttributeUpdated(name, element) {
        // The visitor decides about the open state after loading.
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
 * Gives nodes that the browser added an id. Nodes without an id are paired by their name alone, so a new `div` of the
 * server could replace an added one and be removed with it.
 */
function setAddedApart(target: Element): () => void {
  const added = [...target.querySelectorAll(`[${addedAttribute}]:not([id])`)]
  for (const [index, element] of added.entries()) element.id = `added-${index}-apart`
  return () => {
    for (const element of added) element.removeAttribute('id')
  }
}

/** The running islands of the current morph. */
const islands = new WeakSet<Node>()

/**
 * Gives running islands and their new markup the same id, so that they are paired, and empties the latter: the island
 * owns its content. Islands missing in the new markup end before their nodes are removed.
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
    // The outer island owns those inside the twin.
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

/**
 * A changed field keeps its value while it has the focus, or when the response has the value from before the change.
 */
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
