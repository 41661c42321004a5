/**
 * The controller of the page's checkout. It is separate from its factory: wallets place orders too, and must not load
 * that code.
 */

let controller: object | undefined

export const currentController = (): object | undefined => controller

export function setCurrentController(made: object): void {
  controller = made
}
