import { html } from 'hono/html'
import type { GuestForm } from './guest.ts'
import { cancelLink, type Html, hiddenFields, page } from './pages.ts'
import type { Subject } from './visit.ts'

/** What guests may live in, each with its name. */
const COUNTRIES = ['US', 'AU', 'AT', 'CA', 'FR', 'DE', 'IT', 'JP', 'NL', 'PL', 'ES', 'CH', 'GB']
const names = new Intl.DisplayNames('en', { type: 'region' })

type Problem = { field: keyof GuestForm; text: string }

/** Paying by card without an account: the form that the card's button opens. */
export function cardPage(subject: Subject, form: GuestForm, problem?: Problem): Html {
  const field = (key: keyof GuestForm, label: string, more: Html) => html`<div>
<label for="guest-${key}">${label}</label>
<input id="guest-${key}" name="${key}" value="${form[key]}" ${more} ${
    problem?.field === key ? html`aria-invalid="true" aria-describedby="problem" autofocus` : ''
  }>${problem?.field === key ? html`<p class="error" id="problem" role="alert">${problem.text}</p>` : ''}</div>`
  return page(
    { title: 'Pay by card', subject },
    html`<section class="card"><h1>Pay with debit or credit card</h1>
<form method="post" action="/checkoutnow" class="fields" novalidate>${hiddenFields(subject, 'card')}
${field('email', 'Email', html`type="email" autocomplete="email"`)}
${field('number', 'Card number', html`inputmode="numeric" autocomplete="cc-number" placeholder="4111 1111 1111 1111"`)}
<div class="pair">${field('expiry', 'Expires', html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY"`)}
${field('cvv', 'Security code', html`inputmode="numeric" autocomplete="cc-csc" placeholder="123"`)}</div>
<div class="pair">${field('given_name', 'First name', html`autocomplete="cc-given-name"`)}
${field('surname', 'Last name', html`autocomplete="cc-family-name"`)}</div>
<h2>Billing and shipping address</h2>
<div><label for="guest-country">Country</label><select id="guest-country" name="country" autocomplete="country">${COUNTRIES.map(
      (code) =>
        html`<option value="${code}" ${code === form.country ? 'selected' : ''}>${names.of(code) ?? code}</option>`,
    )}</select></div>
${field('street', 'Street address', html`autocomplete="address-line1"`)}
<div class="pair">${field('postcode', 'Postcode', html`autocomplete="postal-code"`)}
${field('city', 'City', html`autocomplete="address-level2"`)}</div>
${field('state', 'State', html`autocomplete="address-level1" placeholder="CA"`)}
<button id="guestSubmit">Continue</button></form>
<p class="or"><a id="logInInstead" href="${subject.address}&amp;fundingSource=paypal">Log in to PayPal instead</a></p>
</section>${cancelLink(subject)}`,
  )
}
