/** Id of the cart's form, for its controls elsewhere on the page. */
export const cartFormId = 'cart-form'
