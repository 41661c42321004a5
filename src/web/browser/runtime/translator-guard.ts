/**
 * Guards React against translators. A browser's translator or an extension may wrap a text node of React in another
 * element. React would then fail to remove it or to insert before it, and unmount the whole island. The guard uses the
 * wrapping element instead. Fully replaced nodes are left, since their origin is unknown.
 */

/** The name of the performance mark that each intervention adds. Unmodified pages have none. */
export const foreignMark = 'vitrine:foreign-node'

export function guardAgainstTranslators(): void {
  const { removeChild, insertBefore } = Node.prototype

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    // Values that are no nodes are rejected by the platform's own method.
    if (!(child instanceof Node) || child.parentNode === this) return removeChild.call(this, child) as Child
    note('removeChild', child)
    const holder = holderIn(this, child)
    if (holder) removeChild.call(this, holder)
    return child
  }

  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, before: Node | null): Child {
    if (!(before instanceof Node) || before.parentNode === this) return insertBefore.call(this, child, before) as Child
    note('insertBefore', before)
    return insertBefore.call(this, child, holderIn(this, before)) as Child
  }
}

/** Returns the child of a parent that contains a node; null if none does. */
function holderIn(parent: Node, node: Node): Node | null {
  let holder: Node | null = node
  while (holder && holder.parentNode !== parent) holder = holder.parentNode
  return holder
}

function note(method: string, node: Node): void {
  performance.mark(foreignMark, { detail: `${method} ${node.nodeName}` })
}
