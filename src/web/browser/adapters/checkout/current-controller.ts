/**
 * The controller of a checkout form, which listeners of the order events receive. It hangs on the form, apart from its
 * factory: wallets place orders too, and must not load that code.
 */

const key = Symbol('checkout controller')

export const controllerOf = (form: HTMLFormElement): object | undefined => Reflect.get(form, key)

export function setControllerOf(form: HTMLFormElement, controller: object): void {
  Reflect.set(form, key, controller)
}
