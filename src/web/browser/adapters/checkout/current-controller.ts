/** The controller of the page's checkout. Apart from what makes it: wallets place orders too, and must not load all of that. */

let controller: object | undefined

export const currentController = (): object | undefined => controller

export function setCurrentController(made: object): void {
  controller = made
}
