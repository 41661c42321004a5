/** The controller of the page's checkout. Apart from what makes it: wallets place orders too, and must not load all of that. */

let controller: object | undefined

export const knownController = (): object | undefined => controller

export function rememberController(made: object): void {
  controller = made
}
