/** Of the cart's form, for controls that belong to it and stand elsewhere on the page. */
export const cartFormId = 'cart-form'
