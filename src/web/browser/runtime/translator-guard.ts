/**
 * A browser's own translator, or an extension, may take a text that React has made into an element of its own. React then
 * removes a node, or inserts before one, that is not where React left it, and would take the whole island down. With this guard
 * what now holds the node stands in for it. What was replaced altogether is left: nobody knows any more what it was.
 */

/** Each time it had to step in leaves a mark of this name among the page's measurements. It has no part in pages left alone. */
export const foreignMark = 'vitrine:foreign-node'

let standing = false

export function guardAgainstTranslators(): void {
  if (standing) return
  standing = true
  const { removeChild, insertBefore } = Node.prototype

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    // What is no node at all is refused by the platform's own method.
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

/** The child of a parent in which a node is now; null when it is nowhere in it. */
function holderIn(parent: Node, node: Node): Node | null {
  let holder: Node | null = node
  while (holder && holder.parentNode !== parent) holder = holder.parentNode
  return holder
}

function note(method: string, node: Node): void {
  performance.mark(foreignMark, { detail: `${method} ${node.nodeName}` })
}
