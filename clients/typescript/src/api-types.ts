/** Generated from the API document and the schemas of public events by generate.mjs. Do not edit. */

export interface paths {
    "/api/v1/policies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all purchased policies of all merchants
         * @description All policies of all merchants, for an insurer those that it insures: live policies, or test policies with `test_mode=true`. Merchants have a list of their own.
         *
         *     Keys: insurer, claims, admin, auditor.
         */
        get: operations["ListPolicies"];
        put?: never;
        /**
         * Buys a policy with a quote, once per quote
         * @description Purchases a quote, identified by `quote_code`, `purchase_id` or both. A quote can be purchased once, within 30 days.
         *
         *     `effective_from` is the first day (default today, never in the past), `policy_duration` the number of days (default that of the quote; 365 days, or none, are a year, through the day before the
         *     same date of the next year). Another duration than the quote's has another price: the annual net price × days ÷ 365, at least the minimum of the product, with the whole fee and the tax. A term of 365 or 366 days is a year and costs the annual net price.
         *
         *     The status is `accepted` until cover begins: on the first day, or with ActivatePolicy of the platform where the product requires inspection or certification. Then it is
         *     `active` until the policy ends, also after its last day. With `auto_renew` the policy is renewed automatically. A product with limits of age needs the customer's date of birth: an age outside them on the first day, and a missing date of birth, are `not_eligible`.
         *
         *     `customer_metadata` is required if the quote was requested without it, and refused otherwise. With `customer_reference`, the merchant's number of the customer, the customer is the one that has it; else the first
         *     one with this e-mail and name and without a reference, which gets it; else a new one. Without it, the customer is the first one with this e-mail and name, else a new one. E-mail, name and reference are compared without case. A reference of a customer with another name and another
         *     e-mail is `customer_reference_taken`. The policy keeps its holder as bought; its `customer_reference` is always the one that the customer has now.
         *
         *     Keys: merchant.
         */
        post: operations["PurchasePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one policy by its id or its number, as it is, as of a day or as it was known at an instant
         * @description Dates, premium and coverage are those of the term of the day, in the time zone of the environment: of the begun term that contains it, in a gap of the last that has begun, before the first begins of the first. `GET …/terms/` has all of them. `renewal_date` is the first instant after the last agreed term, null when the policy cannot be renewed. A cancellation changes no term: the term that it cuts short keeps its days and its premium, and the transactions have what is returned. A cancellation for a later day shows in `cancellation_date` at once (with `as_of` only from that day on); status and cover stay until that day is over. On the last day of cover the status is `cancelled` if the cancellation was made on this day or later, else `active`. The `ETag` also contains the last day on which the calendar alone changed the view after the last event, and a hash of the reference.
         *
         *     Every event has a business day (`effective_at`) and a time of recording (`recorded_at`). `as_of` gives the policy as of a business day: made by its first event and every other event whose `effective_at` is not after the day, in the order of the log. `known_at` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The `ETag` is then a hash of the body, which `If-Match` never accepts. As of a day, terms that begin later are left out with the events about them, `renewal_date` follows from the terms that are left, and the policy is `active` from the day on which cover begins, also before its activation is recorded.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Makes the certificate of insurance of a policy as a PDF: as it is, as of a day or as it was known at an instant
         * @description Makes a PDF from the view of the policy with the same parameters: insurer, distributor and holder, the term of the day, coverages with limits and deductibles, the premium with its parts, and beneficiaries. There is none while the policy waits for its activation (`not_in_force_yet`). A cancellation is shown with the last day of cover. In test mode every page has the word TEST across it. A character that the font lacks, such as those of Arabic, Hebrew and Chinese, is shown by its code point (`\u{627}`).
         *
         *     The same policy, day and knowledge have the same bytes and the same `ETag`; without `as_of` the day is today, in the time zone of the policy. As of a day, what takes effect on later days is not shown, also a cancellation that is recorded already: for a paper of today leave `as_of` out. Certificates are made one after another, one of a merchant at a time; beyond 31 that wait, the response is 503 `busy`. Covered items over 2,000 characters are cut.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everything that happened to a policy, oldest first, with what each event changed
         * @description Every change of the policy, oldest first: the actor and the command, the time of recording and the business day, a
         *     summary, and the changed fields of the policy in this API. `path` is a JSON Pointer; `before` or `after` is omitted if there was no value.
         *     The changes of all entries, applied in order, give the policy of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. `Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetPolicyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists every term of a policy, by its first day: past, in force, upcoming, withdrawn or cancelled; as it is, as of a day or as it was known at an instant
         * @description The response is not paged. `state` is that of the day, in the time zone of the environment: `upcoming` also while the policy waits for activation; `cancelled` when the policy ended before the first day. A cancellation changes no term: the one that it cuts short keeps its days and amounts and is `past` from the day after `effective_on`; the transactions have what is returned. `as_of` and `known_at` give the terms of a day or as they were known at an instant.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListPolicyTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what is owed under a policy, in the order in which it was recorded: premiums, their changes, return premiums and claim payments
         * @description What is owed under the policy by the contract, in the order of the log; Surety moves no money. Each term has one `premium`. A change of coverages is a
         *     `premium_change` of each term that it touches, what a cancellation, a decline or a withdrawn term returns a `return_premium`, what a reinstatement owes again a `premium_reinstated`, a payment of a claim a `claim_payment`, and its reversal one of the positive amount. There is no entry for 0.00. Id, `date` and `term` are those
         *     of the event: the activation of a policy changes no entry.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListPolicyTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/policies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the policies of a merchant, newest first, or by renewal date
         * @description The policies of the merchant in the mode of the key, newest first; platform keys see live data, with `test_mode=true` test data. `in_force_on` asks for policies in force on that day: a begun term contains the day, cover has begun by then, and the policy was not cancelled on an earlier day. `cover` asks for policies with this cover today. With `renewal_from` or `renewal_through` the list is ordered by renewal date, first the earliest; a policy that is renewed during the walk moves to its new date.
         *
         *     With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`. A table has a column for each field, a field of an object under both names (`policy_holder_customer_id`); lists are JSON. By pages, follow `next` until it is null: it contains the cursor `after`, and a page costs the same at any depth. A cursor belongs to this list, the merchant, the mode and the filters; `limit` may change. Each of the policies that
         *     are there when the walk begins comes exactly once, also while others are added. A page may have fewer than `limit` items, or none, and still a `next`: one request reads at most about 1,000 policies for filters that no index answers together.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListMerchantPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the transactions of all policies of a merchant in the order in which they were recorded, such as the statement of a month
         * @description The transactions of all policies of the merchant in the mode of the key, in the order in which they were recorded; platform keys see live data, with `test_mode=true` test data. For the statement of a month, give its first and last day as
         *     `recorded_from` and `recorded_through`: every transaction is on the statement of one month, whatever its `date`. `customer_reference` is that of now.
         *
         *     With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`. By pages, follow `next` until it is null: it contains the cursor `after`, which belongs to this list, the merchant, the mode and the filters. A page may have fewer than `limit` items, or none, and still a `next`.
         *
         *     While an event of one of the policies cannot be read, the response is `document_parked`, because the sums would be wrong.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListMerchantTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/renew/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a new term after the last one of a policy
         * @description Adds a term of `policy_duration` days; 365 days are a year, which ends on the day before the same date of the next year. The policy is identified by `policy_id`, `policy_number` or both. It must be renewable, not cancelled and not waiting for
         *     activation. The new term begins today or later, after the last day of all agreed terms (a refusal contains `earliest_start`), and at most 366 days after the later of today and that day.
         *
         *     The term has the coverages and the annual net price of the last one; fee, minimum and percentages of tax and commission are those that the product has now. `include_additional_coverage` adds the coverage that
         *     `coverage_details` describes; `modify_exisitng_coverage` (the name is spelt so) changes the one that `coverage_details.coverage_type` names, or of that type if exactly one has it. `additional_amount` is for a year and contains tax. Both
         *     flags cannot be true together, and `coverage_details` without one of them is refused. `coverage_details` is free: its other members are stored and have no effect, so a misspelt name is not refused.
         *     `auto_renew` sets whether the policy is renewed automatically from then on: left out, it switches automatic renewal off.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if the premium is another one now.
         *
         *     `?preview=true` responds what the same request would do now, with `renewal_status: "preview"`, and changes nothing; it takes no notice of an `Idempotency-Key`.
         *
         *     Every problem of this operation has the member `renewal_status: "failed"`.
         *
         *     Keys: merchant.
         */
        post: operations["RenewPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a policy today, or as of another day
         * @description Ends cover with the end of `effective_on`, in the time zone of the environment: today (the default) through the last day of the term in force; of a policy that has not begun, waits or is in a gap, today alone. The platform may
         *     also name earlier days of the term, and the day before it, but no day before the last change that has begun, and none before the incident of a paid claim; a change that would begin after `effective_on` is taken back, which `refund_amount` contains. All of a term that has not begun is returned (`not_begun`, also while the policy waits). For the term that contains the day, `refund_rule` decides. `cooling_off` returns everything: decision and `effective_on` are at most
         *     `cooling_off_days` after the day of purchase, and the term is the first and has at least 30 days; from the decision on, no claim for an incident in it is accepted, not even for earlier days. `pro_rata` returns the net price less the larger of what is earned and what the product
         *     retains (`minimum_retained`), and the tax on it, but no fee. The net price is earned day by day, the fee on the first day. `renewable` and `auto_renew` are false at once; status and cover stay until a later `effective_on` is over. The policy is identified by `policy_id` or `policy_number`; both must identify the same policy.
         *     `cancellation_initiator` is the merchant's name, or `admin` when the platform cancels.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if `refund_amount` is another one now.
         *
         *     Id and number may also be query parameters; all of them must identify the same policy.
         *
         *     `?preview=true` responds what the same request would do now, with `cancellation_status: "preview"`, and changes nothing; it takes no notice of an `Idempotency-Key`.
         *
         *     Keys: merchant.
         */
        post: operations["CancelPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds, modifies or removes coverages of a policy from tomorrow on
         * @description Adds, modifies or removes coverages from tomorrow on, or from the first day of a policy that begins later (`effective_on`): what happened today is covered as it was this morning. The days before keep what they have earned: the net price of a period is earned day by day. The rest of the term, and every later term, get a new price; fee, minimum and rates of each term stay.
         *     `coverage_name` finds a coverage by its name; without it `coverage_type` is looked for among the names, then among the types. `add` needs a new name. Given members replace, null clears, absent ones stay. `additional_amount` is for a
         *     year, contains tax, and may be negative. The changes apply in turn; one that does not fit refuses the request whole. A cancellation for an earlier day takes the change back.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if `premium_difference` is another one now.
         *
         *     `?preview=true` responds what the same request would do now, with `change_status: "preview"`, and changes nothing; it takes no notice of an `Idempotency-Key`.
         *
         *     Keys: merchant.
         */
        post: operations["ChangePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/beneficiaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replaces the beneficiaries of a policy
         * @description Replaces the beneficiaries of a policy, each under a new id; an empty list removes them. It is possible while the policy waits and after its last term, and not once an end is recorded. All have a `share_percent`, and the shares add up to 100.00, or none has one. The same beneficiaries again record nothing.
         *
         *     Keys: merchant.
         */
        put: operations["SetBeneficiaries"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/auto_renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches the automatic renewal of a policy on or off
         * @description Switches automatic renewal on or off. The value that the policy already has records nothing. A policy whose last term is over cannot be switched on (`policy_expired`).
         *
         *     Keys: merchant.
         */
        post: operations["SetAutoRenew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/quotes/{quote_code}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one quote, also when it has expired
         * @description The quote with its price for `policy_duration` days (null: a year) and the product at the time of the request. `price_text` has the amounts of `price` as exact decimal strings. It can be read after it has expired (`quote_expiry_date`) or was purchased.
         *
         *     Keys: merchant, admin, auditor.
         */
        get: operations["GetQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks every product on sale for a quote
         * @description Returns a quote for every product on sale of the type, or one per tier of a product with tiers. The price is computed by the product's rating for this risk and for `policy_duration` days, or a year.
         *
         *     `additional_information` describes the risk and is required for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. A product that makes no offer is in `not_offered` with its reasons:
         *
         *     | `code` | Why |
         *     |---|---|
         *     | `field_missing` | The price depends on the field, or the product has bounds of age and `date_of_birth` is missing |
         *     | `field_invalid` | The price depends on the field, and its value is none that can be priced, such as a text where a number is needed |
         *     | `not_eligible` | The customer is too young or too old on the day of the request |
         *     | `refused` | The product does not accept this value |
         *     | `not_rated`, `premium_out_of_range` | The price would be below 0.00, or have more than 8 integer digits |
         *
         *     If no product makes an offer and each names a missing or invalid field, the response is 400 with the fields of the first. So what is offered can be bought. `coverage_preferences` filter the quotes: `coverage_type` keeps quotes with a coverage of one of these types,
         *     `additional_coverages` those with coverages of all these names, `coverage_amount` those with at least this limit.
         *
         *     Both `purchase_id` and `quote_code` can be used to
         *     purchase the quote, until it expires after 30 days.
         *
         *     For the next page, POST the same body to `next` with the same `Idempotency-Key`; without it, new quotes with new codes are created.
         *
         *     Keys: merchant.
         */
        post: operations["RequestQuotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists claims by the day of filing: those that the reader may see
         * @description The claims of the merchant, of an insurer those on its policies, of the platform those of all merchants; of platform and insurer keys live ones, or test ones with `test_mode=true`. Each is as it is now, without `documents`. A claim whose stage changes during the walk keeps its place. `next` carries the cursor; a page may have fewer than `limit` items, or none, and still a `next`, where no index answers all filters.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListClaims"];
        put?: never;
        /**
         * Files a claim under a policy
         * @description Files a claim under a policy, named by `policy_id`, `policy_number` or both. The incident must be within one of its terms, not after its cancellation and not in the future.
         *
         *     The whole body has at most 10 MiB; because of base64, documents in JSON can have about 7.5 MiB in total. Only the single claim includes them. `claim_reference_number` contains a number that counts the claims of the
         *     merchant on that day. A claim starts as `pending`; the platform then moves it: submitted → under review → pending approval → approved → paid, or approved → offer sent → offer accepted → paid, or offer sent → offer rejected → offer sent.
         *     Until something is paid it can be denied or withdrawn; what is paid, denied or withdrawn can be reopened. `coverage_name` names a coverage of the day of the incident; left out, it is the only one, if there is one.
         *
         *     Documents are base64 in JSON, or files in `multipart/form-data`.
         *
         *     Keys: merchant.
         */
        post: operations["SubmitClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/policies/{policy_id}/claims/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the claims on a policy, as they are now, newest first
         * @description The claims on the policy, as they are now, newest first, without `documents`. Follow `next` until it is null: it contains the cursor `after`, which belongs to this list.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListPolicyClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/claims/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the claims of a merchant, newest first
         * @description The claims of the merchant in the mode of the key, newest first; platform keys see live data, with `test_mode=true` test data. An item has no `documents`. With `claim_status` they are ordered by the day of filing.
         *
         *     With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`. A table has a column for each field, a field of an object under both names (`policy_holder_customer_id`); lists are JSON. By pages, follow `next` until it is null: it contains the cursor `after`, and a page costs the same at any depth. A cursor belongs to this list, the merchant, the mode and the filters; `limit` may change. Each of the claims that
         *     are there when the walk begins comes exactly once, also while others are added. A page may have fewer than `limit` items, or none, and still a `next`: one request reads at most about 1,000 claims for filters that no index answers together.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListMerchantClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one claim by its id or its reference number, with its documents, as it is, as of a day or as it was known at an instant
         * @description Returns a claim by id or reference number, with the contents of its documents. References are unique per merchant: a platform key may have to add `environment_id`.
         *
         *     Every event has a business day (`effective_at`) and a time of recording (`recorded_at`). `as_of` gives the claim as of a business day: made by its first event and every other event whose `effective_at` is not after the day, in the order of the log. `known_at` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The `ETag` is then a hash of the body, which `If-Match` never accepts.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everything that happened to a claim, oldest first, with what each event changed; a document appears by the SHA-256 of its content
         * @description Every change of the claim, oldest first: the actor and the command, the time of recording and the business day, a
         *     summary, and the changed fields of the claim in this API. `path` is a JSON Pointer; `before` or `after` is omitted if there was no value.
         *     The changes of all entries, applied in order, give the claim of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. `Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetClaimHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/documents/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Downloads one document of a claim
         * @description Downloads the content of one document of a claim, found by the `sha256` that the claim shows, under the name of the document. `Content-Disposition` is always `attachment`. `Content-Type` is that of PDF, PNG and JPEG files, by their first bytes, else `application/octet-stream`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetClaimDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/documents/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds documents to a claim that is not withdrawn
         * @description Adds documents to a claim that is not withdrawn, by its id or reference number. A claim has at most 100 documents with 50 MiB in all; the whole body of a request has at most 10 MiB. The same document again is one more entry with the same `sha256`.
         *
         *     Documents are base64 in JSON, or files in `multipart/form-data`.
         *
         *     Keys: merchant.
         */
        post: operations["AddClaimDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/offer/accept/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the claimant accepted the offer
         * @description Accepts the offer of a claim whose stage is `offer sent`, by its id or reference number. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: merchant.
         */
        post: operations["AcceptClaimOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/offer/reject/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the claimant rejected the offer
         * @description Rejects the offer of a claim whose stage is `offer sent`, by its id or reference number. The `reason` is added to the notes. The claim is `approved` again and takes another offer, a denial or a withdrawal, but no payment. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: merchant.
         */
        post: operations["RejectClaimOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes back a claim of which nothing was paid
         * @description Takes back a claim of which nothing was paid, by its id or reference number. The `reason` is added to the notes. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: merchant.
         */
        post: operations["WithdrawClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a note to a claim
         * @description Adds a note to a claim, by its id or reference number. `note_entries` show who wrote it, by the name of the person, else by the label of the key. A claim has at most 1,000 notes with 100,000 characters in all.
         *
         *     Keys: merchant.
         */
        post: operations["AddClaimNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/customers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the customers of a merchant, newest first
         * @description The customers of the merchant in the mode of the key, newest first; platform keys see live data, with `test_mode=true` test data. An item has no lists of policies and claims; `links` lead to them.
         *
         *     With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`. A table has a column for each field, a field of an object under both names (`policy_holder_customer_id`); lists are JSON. By pages, follow `next` until it is null: it contains the cursor `after`, and a page costs the same at any depth. A cursor belongs to this list, the merchant, the mode and the filters; `limit` may change. Each of the customers that
         *     are there when the walk begins comes exactly once, also while others are added. A page may have fewer than `limit` items, or none, and still a `next`: one request reads at most about 1,000 customers for filters that no index answers together.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListMerchantCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one customer with its newest policies, those that are active on the day, and the open claims, as it is, as of a day or as it was known at an instant
         * @description Three lists show the newest 100 each, oldest first, with the number of all beside them (`…_count`): `purchased_policies`; `active_policies`, in force today in the zone of each and not cancelled; `active_claims`, neither paid, denied nor withdrawn. `links` lead to the whole lists. Policies show the term of the day, as their own view does; the `ETag` may change with the day.
         *
         *     Every event has a business day (`effective_at`) and a time of recording (`recorded_at`). `as_of` gives the customer as of a business day: made by its first event and every other event whose `effective_at` is not after the day, in the order of the log. `known_at` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The `ETag` is then a hash of the body, which `If-Match` never accepts. Policies and claims appear as in their own views with the same parameters; those whose view would be 404 are left out. Such a response takes longer for a customer of many policies.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the name, e-mail, phone, address, date of birth or reference of a customer. Equal values change nothing. Policies keep the details of the holder as bought, but show the reference that the customer has now
         * @description Changes `full_name`, `customer_email`, `customer_phone`, `address`, `date_of_birth` or `customer_reference`; null clears all but the first two, and a field that is left out stays. What changes nothing records nothing. Policies keep the holder as bought, and so do their
         *     claims, but policies show the reference that the customer has now. A reference is that of one customer of the merchant and mode (`customer_reference_taken`); two customers may have one e-mail. For the platform the business day is the UTC day.
         *
         *     A later purchase changes a customer too: a phone and an address that were given and differ, a date of birth that was not known, and a missing reference. Data of a quote request that is older than the last change of the customer change nothing.
         *
         *     A retry with the same `Idempotency-Key` gets the details of the first response, and the policies and claims of now.
         *
         *     Keys: merchant.
         */
        patch: operations["UpdateCustomer"];
        trace?: never;
    };
    "/api/v1/customers/{id}/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists every event of a customer, its policies and its claims, oldest first, with what each event changed
         * @description Every event of the customer, its policies and its claims, in the order of the log. `changes` are those of one resource, which `resource` names: the customer without its lists, a policy or a claim. Changes that result from the date alone are not included. `Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["GetCustomerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/claims/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all claims of a customer: open and resolved
         * @description All claims of the customer, open and resolved, in `data` of one object inside `results`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListCustomerClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what is owed under all policies of a customer, in the order in which it was recorded: premiums, their changes, return premiums and claim payments
         * @description What is owed under all policies of the customer by the contract, in the order of the log; Surety moves no money. Each term has one `premium`. A change of coverages is a
         *     `premium_change` of each term that it touches, what a cancellation, a decline or a withdrawn term returns a `return_premium`, what a reinstatement owes again a `premium_reinstated`, a payment of a claim a `claim_payment`, and its reversal one of the positive amount. There is no entry for 0.00. Id, `date` and `term` are those
         *     of the event: the activation of a policy changes no entry.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListCustomerTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all policies of a customer, oldest first
         * @description All policies of the customer, oldest first, each as its own view.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListCustomerPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists merchants; private fields are null for the keys of other merchants
         * @description All merchants, for every key. For keys of other merchants the private fields (`tenant_id`, `user`, `business_email`, `tax_identification_number`, `registration_number`, `address`) are null.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one merchant, as it is, as of a day or as it was known at an instant; private fields are null for the keys of other merchants
         * @description The short code is found ignoring case. `is_active`: the merchant has verified its e-mail; `kyc_verified`: the platform has verified the merchant. Keys work in any case. Private fields are null for the keys of other merchants.
         *
         *     Every event has a business day (`effective_at`) and a time of recording (`recorded_at`). `as_of` gives the merchant as of a business day: made by its first event and every other event whose `effective_at` is not after the day, in the order of the log. `known_at` takes only what was recorded by an instant, which is refused when it lies in the future: later than now and than everything that was recorded. Both together give what was known then about that day. The `ETag` is then a hash of the body, which `If-Match` never accepts.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists everything that happened to a merchant, oldest first; a merchant reads its own only
         * @description Every change of the merchant, oldest first: the actor and the command, the time of recording and the business day, a
         *     summary, and the changed fields of the merchant in this API. `path` is a JSON Pointer; `before` or `after` is omitted if there was no value.
         *     The changes of all entries, applied in order, give the merchant of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. `Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["GetMerchantHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the environments of a merchant, live and test
         * @description The environments of the key's merchant, live and test, oldest first. Platform keys can read those of all.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["ListMerchantEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{short_code}/verify/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verifies the e-mail of a merchant by the token that was mailed to it, and mails it what to do next
         * @description Verifies the e-mail address of a merchant with the token of the mailed link. The token is valid for 24 hours and can be used once; a second call within that time
         *     returns the same response and sends nothing. Onboarding instructions are then sent by mail; the verification remains valid if that fails.
         *
         *     A wrong, missing, expired or replaced token, a token of another merchant and an unknown code have the same response: 400 with `error` = `Invalid verification token`.
         *
         *     Keys: merchant, admin.
         */
        get: operations["VerifyMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/environments/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one environment
         * @description Returns an environment of the key's merchant, live or test, by its number. Platform keys can read all environments.
         *
         *     Keys: merchant, claims, admin, auditor.
         */
        get: operations["GetEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/environments/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the API keys of an environment, revoked ones too
         * @description The keys of an environment of the key's merchant, live or test, oldest first, with the time of their revocation. A list never shows a key itself, only its id and its label.
         *
         *     Keys: merchant, admin, auditor.
         */
        get: operations["ListEnvironmentKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows what the key of the request is: its role and label, its merchant and environment or its insurer
         * @description What the key of the request is: its role, id and label, and of a merchant's key its merchant and environment, of an insurer's key its insurer. The label of the administrator's key of the settings is `first admin key`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/work/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts what waits for the caller
         * @description Counts what waits for the caller, each to 1000 at most. What is not the caller's is left out. Platform and insurer keys see live data, with `test_mode=true` test data.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finds policies, claims, customers, merchants, insurers and products by names, numbers, e-mails, phones and ids
         * @description At most 20 of what the key may read, the best first: what is the whole text, what begins or ends with it, then names with its words. Policies and claims are found by number (whole, the beginning of 3 characters or more, the end of 4 or more) and id; customers by the words of the name (each the beginning of one, the longest of 2 letters or more), e-mail (its beginning), phone (the last 6 digits or more), reference and id; merchants by name and short code, insurers and products by name; and what an event concerns by the id of the event. Case, accents and characters that show nothing do not matter. Nothing found is an empty array.
         *
         *     A merchant key finds only its own merchant, in its own mode, and the insurers and products that it sees; an insurer its policies, claims and products; a platform key everything, live unless `test_mode` is true. With `short_code` only that merchant is searched, without insurers and products. At most 2,000 entries of the index are read; when the text has more, the response has the header `Surety-Incomplete: true`: a longer text finds the rest.
         *
         *     It is a POST so that the text is in no URL. It reads only and ignores an `Idempotency-Key`.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        post: operations["Find"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists public events in the order of the log, and waits for the next one
         * @description An HTTP feed ([http-feeds.org](https://www.http-feeds.org/)) of public events as CloudEvents 1.0 in structured mode, in the order of the log. A merchant's key sees the events of its merchant, policies and claims in its mode; platform keys see all of a mode, also those of insurers and products. [All types](/docs/public-events/).
         *
         *     Follow `Link: rel="next"`, which names the last event of the page in `lastEventId`: it is the cursor to keep. An empty page is the end for now: ask its link again, with `timeout` to wait for the next event. `Surety-Position` is the position up to which events are published, whatever the page holds: continue from it only after an empty page, or with `?limit=1` to start from now. An event is shown when all read models reflect it, so what it names can be read.
         *
         *     The response is `application/cloudevents-batch+json`, or `application/json` where `Accept` names it. At most 8 requests of a key wait at a time; a further one is answered at once, with `Retry-After`. At most 4 pages of a key are made at a time, and 12 more wait; a further request is 503 `busy`. A page may end before its `limit`, after 4 MiB. An event that this version of Surety cannot read ends the page before it, and is `event_unreadable` as the next one.
         *
         *     Keys: merchant, admin, auditor.
         */
        get: operations["ListEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists products, of a type or an insurer
         * @description A merchant sees the products on sale (`is_live`, not withdrawn) of the insurers that it finds (of the oldest 1,000; with `provider_id` of any), and those that its own imports added; with `include_withdrawn=true` also those that are not on sale, or whose insurer was withdrawn, as the single view shows them. Platform keys see all, an insurer all of its own. All are in one array inside `results`. `test_mode` is for platform keys.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one product, with its provider's current name and e-mail
         * @description A product with its coverages, accepted ages, rules for cancellations and basic pricing: `pricing.amount` is the net price of a year (the base premium, at least the minimum premium) without what depends on the risk and without discount, `tax` the tax on amount and surcharges. Quotes contain the price for a customer.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["GetProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insurers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists insurance providers
         * @description All insurers visible to the key: those of the platform, those that merchants registered in the same mode (live or test) and the platform confirmed, and those that the merchant itself registered or imported in this mode. Withdrawn insurers are shown to platform keys only.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["ListInsurers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/search/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finds insurance providers by a part of their name
         * @description Insurers whose name contains the text, without regard to case, full-width letters and invisible characters. An empty name is refused.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        get: operations["SearchProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding/providers/registration/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a provider (insurer) under a unique name
         * @description Registers an insurer. The name is unique; case, full-width letters and invisible characters make no difference. An insurer registered by the platform is one for every merchant, in live and test mode. An insurer registered with a merchant's key is visible to this merchant alone, in the mode of the key, until
         *     the platform confirms it (`ConfirmProvider`); its name is taken at once. The name of an insurer registered with a test key is reserved in test mode only; names that are reserved in live mode are refused there too.
         *
         *     Keys: merchant, admin.
         */
        post: operations["RegisterProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in with a key or a ticket: sets the cookie of a session
         * @description Sets a cookie that later requests of the page send in place of the key, for 10 hours or as long as the key is valid. Key and person are checked at every request. The session of a person of a merchant that was opened by a ticket works in all environments of the merchant: `Surety-Environment` names one, else it is the first live one. A request with the cookie that is no `GET` or `HEAD` needs the headers that this operation needs; `X-API-Key`, also a wrong one, wins over the cookie. Only a page of this service may send it: `Sec-Fetch-Site: same-origin` (without it, `Origin` of this service) and `X-Surety-Console: 1`.
         */
        post: operations["OpenSession"];
        /**
         * Signs out: clears the cookie of the session
         * @description Clears the cookie, whatever it was. Only a page of this service may send it: `Sec-Fetch-Site: same-origin` (without it, `Origin` of this service) and `X-Surety-Console: 1`.
         */
        delete: operations["EndSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the API keys of the platform and of insurers, revoked ones too
         * @description The keys of administrators, auditors, claims handlers and insurers, oldest first, with the time of their revocation. The administrator's key of the settings is not listed.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListPlatformKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/persons/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the persons who work with Surety, removed ones too
         * @description Persons with their roles and rights, in the order in which they were added, with the time of their removal.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists parked documents, each with the event that could not be folded and the reason
         * @description Documents that are parked because an event could not be folded. Reading one answers 503, lists show the last valid state. After a repair, use RetryParked.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListParked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/mail-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists mail jobs with their status, without addresses
         * @description Mails with their attempts. A parked mail needs a decision: ResendMail, or nothing.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListMailJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all commands with the JSON Schemas of their bodies
         * @description The commands that the role of the key runs (of an auditor: all), with the JSON Schemas of their bodies. Other names answer 404 `command_not_found`.
         *
         *     Keys: insurer, claims, admin, auditor.
         */
        get: operations["ListCommands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RegisterMerchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a merchant, gives it its tenant id and short code, and mails it a link to verify its e-mail
         * @description Registers a merchant under a new short code: three letters of its name and four of `[0-9A-F]`. Several merchants may have the same e-mail. A verification mail is sent
         *     with a link that is valid for 24 hours.
         *
         *     Keys: admin.
         */
        post: operations["AdminRegisterMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/UpdateMerchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the details of a merchant; a field given as null is cleared. A merchant that is not verified yet is mailed a new link when its business e-mail changes
         * @description Changes any field of a registration; null clears a field. The short code does not change. A new business e-mail before verification gets a new verification link, which replaces the previous one.
         *
         *     Keys: admin.
         */
        post: operations["AdminUpdateMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ConfirmKyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the platform has verified a merchant (kyc_verified)
         * @description Sets `kyc_verified`, which is independent of the verification of the e-mail.
         *
         *     Keys: admin.
         */
        post: operations["AdminConfirmKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ResendVerification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a merchant a new verification link; earlier links stop working
         * @description Sends a new verification mail, whose token replaces the previous one.
         *
         *     Keys: admin.
         */
        post: operations["AdminResendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/VerifyMerchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies the e-mail of a merchant by the token that was mailed to it, and mails it what to do next
         * @description Verifies the e-mail address of a merchant with the token of the mailed link. The token is valid for 24 hours and can be used once; a second call within that time
         *     returns the same response and sends nothing. Onboarding instructions are then sent by mail; the verification remains valid if that fails.
         *
         *     A wrong, missing, expired or replaced token, a token of another merchant and an unknown code have the same response: 400 with `error` = `Invalid verification token`.
         *
         *     Keys: admin.
         */
        post: operations["AdminVerifyMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/CreateEnvironment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an environment of a merchant in live or test mode
         * @description A merchant may have several environments. All live environments show the same policies, and so do all test environments.
         *
         *     Keys: admin.
         */
        post: operations["AdminCreateEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/IssueApiKey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues an API key, which only this response shows
         * @description Issues a key of an environment (`environment_id`), of the platform (`role`), of an insurer (`role: insurer` with `provider_id`) or of a person (`person_id`, for a person of a merchant with `environment_id`), which has the role, authority and access of the person as they are at each request. `label` says who or what uses it. With `access: read` a key changes nothing; from `expires_at` on it is rejected. Only a hash of the key is stored: it is shown in this response only, and `api_key` is
         *     null in a repeated response.
         *
         *     Keys: admin.
         */
        post: operations["AdminIssueApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RevokeApiKey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes an API key; it is rejected from the next request on
         * @description Revokes the key permanently, with immediate effect.
         *
         *     Keys: admin.
         */
        post: operations["AdminRevokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AddPerson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a person who works with Surety, with a role
         * @description Adds a person. A person of the role `merchant` acts for one merchant (`short_code`), one of the role `insurer` for one insurer (`provider_id`). `authority` bounds what an insurer or a claims handler decides; with `access: read` the person changes nothing. The e-mail address is unique among persons who are not removed.
         *
         *     Keys: admin.
         */
        post: operations["AdminAddPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/UpdatePerson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the name or the rights of a person
         * @description Changes name, role, merchant, insurer, authority or access of a person; keys of the person have the new rights from the next request on. A key of an environment is rejected while the person does not act for its merchant, any other key while the person has the role `merchant`. A new role takes the merchant or the insurer that it needs, and ends those of the old one, and an authority that it does not take; `authority: null` takes the bounds away. The e-mail address stays.
         *
         *     Keys: admin.
         */
        post: operations["AdminUpdatePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RemovePerson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes a person; the keys of the person are rejected from the next request on
         * @description Removes a person permanently, with immediate effect on all keys of the person. What the person did keeps the name. The e-mail address is free for another person.
         *
         *     Keys: admin.
         */
        post: operations["AdminRemovePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/EndSessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends all sessions of a person; keys of the person stay
         * @description Ends the sessions that were opened by then, from the next request on. Administrators end those of everyone; all others, and who has `access: read`, their own.
         *
         *     Keys: merchant, insurer, claims, admin, auditor.
         */
        post: operations["AdminEndSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/IssueTicket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a ticket, with which a person signs in to the console without a key
         * @description Issues a ticket of a person, named by id or e-mail address. `/console/#ticket=…` signs in with it, once and within an hour, unless the sessions of the person are ended or the person is removed before. The log shows who issued it. It is shown in this response only, and is null in a repeated response. `surety sign-in` prints the whole address.
         *
         *     Keys: admin.
         */
        post: operations["AdminIssueTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RegisterProvider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a provider (insurer) under a unique name
         * @description Registers an insurer. The name is unique; case, full-width letters and invisible characters make no difference. An insurer registered by the platform is one for every merchant, in live and test mode. An insurer registered with a merchant's key is visible to this merchant alone, in the mode of the key, until
         *     the platform confirms it (`ConfirmProvider`); its name is taken at once. The name of an insurer registered with a test key is reserved in test mode only; names that are reserved in live mode are refused there too.
         *
         *     Keys: admin.
         */
        post: operations["AdminRegisterProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/UpdateProvider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the details of a provider; a new name must be free, and the old one stays taken
         * @description Changes any field of a registration. A new name must be unused, and the old name remains reserved. Existing policies keep the name.
         *
         *     Keys: admin.
         */
        post: operations["AdminUpdateProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ConfirmProvider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shows a provider that a merchant registered, and its products, to every merchant
         * @description Shows an insurer that a merchant registered, and its products, to every merchant of its mode (live or test). Before that only the merchant sees it. Imports of other merchants then use it. One that an import registered cannot be confirmed.
         *
         *     Keys: admin.
         */
        post: operations["AdminConfirmProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/WithdrawProvider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraws a provider: it is no longer listed, its products are no longer quoted or bought, and its policies are no longer renewed
         * @description Withdraws an insurer permanently: merchants no longer find it or its products in lists, and its products are not quoted. Its policies, and quotes that were made before, continue; its name stays taken.
         *
         *     Keys: admin.
         */
        post: operations["AdminWithdrawProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AddProduct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a product of a provider, with its prices, coverages and tiers
         * @description Adds a product. `rating` computes prices from the answers in `additional_information`. Each step is rounded to 2 places, half away from zero:
         *
         *     1. base price = `base_premium` + field value × `rate` %
         *     2. loaded price = base price + each loading that applies, as a percentage of the base price or as an amount. Below 0.00 there is no quote.
         *     3. annual net price = loaded price − `discount_percent` of it
         *     4. net price = annual net price × days ÷ 365, at least `minimum_premium`. A term of 365 or 366 days is a year and costs the annual net price.
         *     5. premium = net price + `surcharge`, and `tax_percent` of both. Surcharge and minimum are the same for every number of days. The commission, `commission_percent` of the net price, is a part of it.
         *
         *     Percentages of loadings are −100 to 1000 and their amounts may be negative; other percentages are 0 to 100, other amounts at least 0. A loading whose field is absent does not apply; a product whose rate field is absent gives no quote.
         *     A product with `tiers` gives one quote per tier; a tier without a rating, or without coverages, has that of the product.
         *
         *     Merchants see the product where they see its insurer. `additional_information.options` lists the accepted values of a field, `refused` the values that are not accepted, `min_age` and `max_age` the ages of the customer in whole years.
         *     `cancellation` sets what a cancellation returns. The currency cannot be changed later.
         *
         *     `base_premium` and `minimum_premium` contain no tax. `GET /products/{id}` shows base premium, coverages, ages and `cancellation`, and in `pricing` the price of a year before rate, loadings and discount. No response shows `rating`, `tiers`, `options` and `refused`, not even to a platform key: keep what you send, because
         *     `UpdateProduct` replaces each of them as a whole.
         *
         *     Keys: admin.
         */
        post: operations["AdminAddProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/UpdateProduct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes a product; lists are replaced as a whole, a field given as null is cleared
         * @description Changes any field but the provider and the currency. Lists are replaced as a whole, a field given as null is cleared; coverages that keep their name keep their id. `additional_information`, `rating` and `cancellation` are replaced as a whole too. Existing policies do not change.
         *
         *     Keys: admin.
         */
        post: operations["AdminUpdateProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/WithdrawProduct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraws a product (is_trashed): no more quotes are made for it
         * @description Stops quotes for the product. Existing policies continue and can be renewed.
         *
         *     Keys: admin.
         */
        post: operations["AdminWithdrawProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RestoreProduct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a withdrawn product back into sale (restored_at)
         * @description Reverses a withdrawal: the product is quoted again.
         *
         *     Keys: admin.
         */
        post: operations["AdminRestoreProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RequestQuotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks every product on sale for a quote
         * @description Returns a quote for every product on sale of the type, or one per tier of a product with tiers. The price is computed by the product's rating for this risk and for `policy_duration` days, or a year.
         *
         *     `additional_information` describes the risk and is required for Auto, Gadget, Health, Home, Personal_Accident, Travel and Cargo. A product that makes no offer is in `not_offered` with its reasons:
         *
         *     | `code` | Why |
         *     |---|---|
         *     | `field_missing` | The price depends on the field, or the product has bounds of age and `date_of_birth` is missing |
         *     | `field_invalid` | The price depends on the field, and its value is none that can be priced, such as a text where a number is needed |
         *     | `not_eligible` | The customer is too young or too old on the day of the request |
         *     | `refused` | The product does not accept this value |
         *     | `not_rated`, `premium_out_of_range` | The price would be below 0.00, or have more than 8 integer digits |
         *
         *     If no product makes an offer and each names a missing or invalid field, the response is 400 with the fields of the first. So what is offered can be bought. `coverage_preferences` filter the quotes: `coverage_type` keeps quotes with a coverage of one of these types,
         *     `additional_coverages` those with coverages of all these names, `coverage_amount` those with at least this limit.
         *
         *     Both `purchase_id` and `quote_code` can be used to
         *     purchase the quote, until it expires after 30 days.
         *
         *     Keys: admin.
         */
        post: operations["AdminRequestQuotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/PurchasePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buys a policy with a quote, once per quote
         * @description Purchases a quote, identified by `quote_code`, `purchase_id` or both. A quote can be purchased once, within 30 days.
         *
         *     `effective_from` is the first day (default today, never in the past), `policy_duration` the number of days (default that of the quote; 365 days, or none, are a year, through the day before the
         *     same date of the next year). Another duration than the quote's has another price: the annual net price × days ÷ 365, at least the minimum of the product, with the whole fee and the tax. A term of 365 or 366 days is a year and costs the annual net price.
         *
         *     The status is `accepted` until cover begins: on the first day, or with ActivatePolicy of the platform where the product requires inspection or certification. Then it is
         *     `active` until the policy ends, also after its last day. With `auto_renew` the policy is renewed automatically. A product with limits of age needs the customer's date of birth: an age outside them on the first day, and a missing date of birth, are `not_eligible`.
         *
         *     `customer_metadata` is required if the quote was requested without it, and refused otherwise. With `customer_reference`, the merchant's number of the customer, the customer is the one that has it; else the first
         *     one with this e-mail and name and without a reference, which gets it; else a new one. Without it, the customer is the first one with this e-mail and name, else a new one. E-mail, name and reference are compared without case. A reference of a customer with another name and another
         *     e-mail is `customer_reference_taken`. The policy keeps its holder as bought; its `customer_reference` is always the one that the customer has now.
         *
         *     Keys: admin.
         */
        post: operations["AdminPurchasePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RenewPolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a new term after the last one of a policy
         * @description Adds a term of `policy_duration` days; 365 days are a year, which ends on the day before the same date of the next year. The policy is identified by `policy_id`, `policy_number` or both. It must be renewable, not cancelled and not waiting for
         *     activation. The new term begins today or later, after the last day of all agreed terms (a refusal contains `earliest_start`), and at most 366 days after the later of today and that day.
         *
         *     The term has the coverages and the annual net price of the last one; fee, minimum and percentages of tax and commission are those that the product has now. `include_additional_coverage` adds the coverage that
         *     `coverage_details` describes; `modify_exisitng_coverage` (the name is spelt so) changes the one that `coverage_details.coverage_type` names, or of that type if exactly one has it. `additional_amount` is for a year and contains tax. Both
         *     flags cannot be true together, and `coverage_details` without one of them is refused. `coverage_details` is free: its other members are stored and have no effect, so a misspelt name is not refused.
         *     `auto_renew` sets whether the policy is renewed automatically from then on: left out, it switches automatic renewal off.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if the premium is another one now.
         *
         *     Keys: admin.
         */
        post: operations["AdminRenewPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ChangePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds, modifies or removes coverages of a policy from tomorrow on
         * @description Adds, modifies or removes coverages from tomorrow on, or from the first day of a policy that begins later (`effective_on`): what happened today is covered as it was this morning. The days before keep what they have earned: the net price of a period is earned day by day. The rest of the term, and every later term, get a new price; fee, minimum and rates of each term stay.
         *     `coverage_name` finds a coverage by its name; without it `coverage_type` is looked for among the names, then among the types. `add` needs a new name. Given members replace, null clears, absent ones stay. `additional_amount` is for a
         *     year, contains tax, and may be negative. The changes apply in turn; one that does not fit refuses the request whole. A cancellation for an earlier day takes the change back.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if `premium_difference` is another one now.
         *
         *     Keys: admin.
         */
        post: operations["AdminChangePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/CancelPolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a policy today, or as of another day
         * @description Ends cover with the end of `effective_on`, in the time zone of the environment: today (the default) through the last day of the term in force; of a policy that has not begun, waits or is in a gap, today alone. The platform may
         *     also name earlier days of the term, and the day before it, but no day before the last change that has begun, and none before the incident of a paid claim; a change that would begin after `effective_on` is taken back, which `refund_amount` contains. All of a term that has not begun is returned (`not_begun`, also while the policy waits). For the term that contains the day, `refund_rule` decides. `cooling_off` returns everything: decision and `effective_on` are at most
         *     `cooling_off_days` after the day of purchase, and the term is the first and has at least 30 days; from the decision on, no claim for an incident in it is accepted, not even for earlier days. `pro_rata` returns the net price less the larger of what is earned and what the product
         *     retains (`minimum_retained`), and the tax on it, but no fee. The net price is earned day by day, the fee on the first day. `renewable` and `auto_renew` are false at once; status and cover stay until a later `effective_on` is over. The policy is identified by `policy_id` or `policy_number`; both must identify the same policy.
         *     `cancellation_initiator` is the merchant's name, or `admin` when the platform cancels.
         *
         *     With `expected_amount` the request is refused (`amount_changed`) if `refund_amount` is another one now.
         *
         *     Keys: admin.
         */
        post: operations["AdminCancelPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/SetAutoRenew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches the automatic renewal of a policy on or off
         * @description Switches automatic renewal on or off. The value that the policy already has records nothing. A policy whose last term is over cannot be switched on (`policy_expired`).
         *
         *     Keys: admin.
         */
        post: operations["AdminSetAutoRenew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/SetBeneficiaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the beneficiaries of a policy
         * @description Replaces the beneficiaries of a policy, each under a new id; an empty list removes them. It is possible while the policy waits and after its last term, and not once an end is recorded. All have a `share_percent`, and the shares add up to 100.00, or none has one. The same beneficiaries again record nothing.
         *
         *     Keys: admin.
         */
        post: operations["AdminSetBeneficiaries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/UpdateCustomer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the name, e-mail, phone, address, date of birth or reference of a customer. Equal values change nothing. Policies keep the details of the holder as bought, but show the reference that the customer has now
         * @description Changes `full_name`, `customer_email`, `customer_phone`, `address`, `date_of_birth` or `customer_reference`; null clears all but the first two, and a field that is left out stays. What changes nothing records nothing. Policies keep the holder as bought, and so do their
         *     claims, but policies show the reference that the customer has now. A reference is that of one customer of the merchant and mode (`customer_reference_taken`); two customers may have one e-mail. For the platform the business day is the UTC day.
         *
         *     A later purchase changes a customer too: a phone and an address that were given and differ, a date of birth that was not known, and a missing reference. Data of a quote request that is older than the last change of the customer change nothing.
         *
         *     A retry with the same `Idempotency-Key` gets the details of the first response, and the policies and claims of now.
         *
         *     Keys: admin.
         */
        post: operations["AdminUpdateCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ActivatePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets the cover of a policy begin once inspection and certification are done
         * @description Activates a policy that waits, because its product requires an inspection or a certification. When that is after its first day, its term moves: it begins on the day of the activation and keeps
         *     length and amounts. A policy that needs neither becomes active on its first day automatically and is refused (`policy_not_begun`).
         *
         *     Keys: admin.
         */
        post: operations["AdminActivatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/DeclinePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends an accepted policy that the insurer does not take on, and returns its premium in full
         * @description Ends an accepted policy before cover begins: it is `cancelled`, with the initiator `admin`, and every premium is returned in full. ReinstatePolicy does not undo it.
         *
         *     Keys: admin.
         */
        post: operations["AdminDeclinePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ReinstatePolicy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undoes the cancellation of a policy whose last term has not run out
         * @description Undoes a cancellation while the last term has not run out, or the policy waits: terms and automatic renewal are as before it, cover goes on without a gap, and every returned amount is owed again. A declined policy is `cancelled` too, but cannot be reinstated (`policy_not_cancelled`).
         *
         *     Keys: admin.
         */
        post: operations["AdminReinstatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/WithdrawTerm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes back the last term of a policy before it begins, as after a mistaken renewal
         * @description Takes back the last term before it begins, as after a mistaken renewal: its premium is returned in full, it counts as never agreed, and automatic renewal is switched off. `from` names the term of that day.
         *
         *     Keys: admin.
         */
        post: operations["AdminWithdrawTerm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/SubmitClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Files a claim under a policy
         * @description Files a claim under a policy, named by `policy_id`, `policy_number` or both. The incident must be within one of its terms, not after its cancellation and not in the future.
         *
         *     The whole body has at most 10 MiB; because of base64, documents in JSON can have about 7.5 MiB in total. Only the single claim includes them. `claim_reference_number` contains a number that counts the claims of the
         *     merchant on that day. A claim starts as `pending`; the platform then moves it: submitted → under review → pending approval → approved → paid, or approved → offer sent → offer accepted → paid, or offer sent → offer rejected → offer sent.
         *     Until something is paid it can be denied or withdrawn; what is paid, denied or withdrawn can be reopened. `coverage_name` names a coverage of the day of the incident; left out, it is the only one, if there is one.
         *
         *     Keys: claims, admin.
         */
        post: operations["AdminSubmitClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ReviewClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a submitted claim under review
         * @description Starts the review. A `note` is added to the notes of the claim. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminReviewClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/SendClaimForApproval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a claim under review for approval
         * @description Ends the review. A `note` is added to the notes of the claim. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminSendClaimForApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ApproveClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approves a claim that waits for approval
         * @description Approves a total after the deductible: by default and at most the smaller of the claimed amount less the deductible, and what payments of other claims have left of the limit of the coverage in this term (`amount_too_high`). `approved_amount` is required where no amount was claimed, `coverage_name` where it is not known and a coverage of the day has a limit or a deductible. A claim whose earlier payments are all of it is paid at once. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminApproveClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/SendClaimOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offers an amount for an approved claim
         * @description Sends the claimant an offer, by default of the approved amount, which is also the limit (`amount_too_high`). A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminSendClaimOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AcceptClaimOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the claimant accepted the offer
         * @description Accepts the offer of a claim whose stage is `offer sent`, by its id or reference number. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminAcceptClaimOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RejectClaimOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that the claimant rejected the offer
         * @description Rejects the offer of a claim whose stage is `offer sent`, by its id or reference number. The `reason` is added to the notes. The claim is `approved` again and takes another offer, a denial or a withdrawal, but no payment. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminRejectClaimOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AddClaimDocuments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds documents to a claim that is not withdrawn
         * @description Adds documents to a claim that is not withdrawn, by its id or reference number. A claim has at most 100 documents with 50 MiB in all; the whole body of a request has at most 10 MiB. The same document again is one more entry with the same `sha256`.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminAddClaimDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/PayClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records a payment of an approved claim or of an accepted offer
         * @description Records a payment: by default of what is left of the accepted offer, else of the approved amount, which is also the limit (`amount_too_high`), as is what is left of the limit of the coverage. The claim is paid when nothing is left, or with `final: true`. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminPayClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ReversePayment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes back a payment of a claim
         * @description Takes back a payment: from today on it counts nowhere, and a paid claim is open again. The `reason` is added to the notes.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminReversePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/DenyClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Denies a claim of which nothing was paid
         * @description Denies a claim of which nothing was paid. The `reason` is added to the notes. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminDenyClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/WithdrawClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes back a claim of which nothing was paid
         * @description Takes back a claim of which nothing was paid, by its id or reference number. The `reason` is added to the notes. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminWithdrawClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ReopenClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a paid, denied or withdrawn claim under review again; its payments stay
         * @description Takes a paid, denied or withdrawn claim under review again: approval and offer are void, payments stay. The `reason` is added to the notes. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminReopenClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ReviseClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Corrects what is claimed
         * @description Corrects what is claimed, judged as a filing. An approval and an offer are void then, and the claim is under review again. After a payment amount and description alone can be corrected. A claim at another stage is refused; the refusal lists the commands that it allows.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminReviseClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AddClaimNote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a note to a claim
         * @description Adds a note to a claim, by its id or reference number. `note_entries` show who wrote it, by the name of the person, else by the label of the key. A claim has at most 1,000 notes with 100,000 characters in all.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminAddClaimNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/AssignClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assigns a claim to a person or a key, or to no one
         * @description Assigns a claim, at any stage, to a person or a key of the platform (`claims`, `admin`) or of its insurer, by the id; a key of a person stands for the person. `null` ends the assignment. The assignee that the claim already has records nothing. Merchants do not see it.
         *
         *     Keys: insurer, claims, admin.
         */
        post: operations["AdminAssignClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ImportPolicyTerm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Imports one term of a policy of another book; sending the same row again changes nothing
         * @description Imports one term of a policy from another system: rows with the same number are successive terms. Members `risk_…` and `premium_…` are stored with the term. `cancelled_on` records a cancellation with the term. The command id is derived from the row, so
         *     repeating a row changes nothing. Missing providers, products and customers are created.
         *
         *     Keys: admin.
         */
        post: operations["AdminImportPolicyTerm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ImportClaim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Imports one claim of another book; sending the same row again changes nothing
         * @description Imports one claim from another system, open or settled. An open claim goes on from its status by the ordinary commands. Repeating a row changes nothing.
         *
         *     Keys: admin.
         */
        post: operations["AdminImportClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/RetryParked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Requests that a parked document be folded again from its streams
         * @description Requests that a parked document be folded again from its events. Both values are in the list of parked documents.
         *
         *     Keys: admin.
         */
        post: operations["AdminRetryParked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/commands/ResendMail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a parked mail again; if its outcome is unknown, it may arrive twice
         * @description Sends a parked mail again: after the last attempt was refused, or after an attempt with unknown outcome, when the mail may arrive twice.
         *
         *     Keys: admin.
         */
        post: operations["AdminResendMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/rebuilds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the last 20 rebuilds of read models, newest first
         * @description The last 20 rebuilds, newest first, each as its own view.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListRebuilds"];
        put?: never;
        /**
         * Requests that the read models be built again from the log, beside those that are served
         * @description Builds all read models again from the whole log, beside those that are served, and then serves the new ones, all at once. Requests are answered from the old documents until then, and see no difference otherwise.
         *     Poll the rebuild until its `state` is not `running`. `refused`: documents that are served would be parked, as `reason` says; the documents stay as they are. A rebuild that runs with a `reason` has met a damaged log, and goes on
         *     when that is restored. A request while another rebuild runs begins again from the start of the log, and both end as the newer one does.
         *
         *     Keys: admin.
         */
        post: operations["RequestRebuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/rebuilds/{rebuild_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a rebuild of read models with its progress
         * @description A rebuild. `progress` is known to the process that executes it.
         *
         *     Keys: admin, auditor.
         */
        get: operations["GetRebuild"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/portfolio/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Computes the book on a day: policies in force, premiums and claims, as they are known or were known at an instant
         * @description The book on a day, folded from the event log in a thread of its own, never from the read models. For each policy and claim it folds exactly the events that the
         *     view with the same `as_of` and `known_at` folds; what that view answers with 404 counts nowhere. Each policy is counted by the day in its own time zone. Amounts are computed
         *     per term, rounded half-up to 2 decimals and then summed; written = earned + unearned + returned.
         *
         *     A claim has the group and currency of its policy. Rows of zeros are left out. The day may lie in the future: then only what is agreed counts. `position` is the end of the log when
         *     the computation began.
         *
         *     A process computes one portfolio at a time and refuses others (429). It reads the whole log, so the response takes seconds for a large book, and the computation ends when the client
         *     closes the connection. An event of a policy or claim that cannot be folded refuses every portfolio that would count it (`document_parked`, which names the stream), because its
         *     figures would be wrong.
         *
         *     Keys: admin, auditor.
         */
        get: operations["GetPortfolio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the last 20 verifications, newest first, without their reports
         * @description The last 20 verifications, newest first. `findings` is 0 where a completed one has found nothing; the single verification has the report.
         *
         *     Keys: admin, auditor.
         */
        get: operations["ListVerifications"];
        put?: never;
        /**
         * Starts a verification of the event log and of the read models
         * @description First reads every event of the log: that it is as it was appended and matches its schema, that none is missing, that ids are unique, and that revisions and times rise in each
         *     stream. With a fault nothing else is compared: the log is restored from a backup, and the read models are kept until then. Otherwise recomputes
         *     every document of the read models from the event log, in a thread of its own and into a temporary file, and compares it with the stored one byte for byte. It also
         *     compares the content of every claim document with its SHA-256. Requests are served meanwhile; a document that changes meanwhile is compared as it is after
         *     its own newest event.
         *
         *     Poll the verification in `Location` until its `state` is not `running`. One runs at a time; a request meanwhile is refused (429) with its `verification_id`. `surety verify --url` does all of it.
         *
         *     Keys: admin, auditor.
         */
        post: operations["StartVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/verifications/{verification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one of the last 20 verifications with its progress, then its report
         * @description One of the last 20 verifications. `failed`: a store did not answer, the service was stopped, or its process has been silent for a minute. A completed one has found nothing if
         *     the numbers `faults`, `differing`, `missing`, `surplus` and `parked` are 0, and the `differences` of `contents` are empty.
         *
         *     Keys: admin, auditor.
         */
        get: operations["GetVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/status/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the state of the installation: checks, read models, leaders, relay and disk
         * @description What an operator looks at first. `checks` are those of `/readyz` of the process that answers, each named like the heading of the runbook that says what to do. What only other processes do is read from the stores that they share: positions of the
         *     read models, the holders of the leases, the checkpoint of the relay. A holder that died is shown for 8 seconds, until its lease expires. What a store does not answer within 2 s is null.
         *
         *     On a data folder one process has all roles; `leader` is its host and process id.
         *
         *     Keys: admin, auditor.
         */
        get: operations["GetStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Problem details (RFC 9457). Programs should evaluate `code`. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Link to the explanation of the code
             */
            type: string;
            /** @description The same for every problem of this code */
            title: string;
            status: number;
            /** @description Description of this occurrence */
            detail: string;
            /** @description Same text as `detail` */
            error: string;
            /** @description Stable identifier of the kind of error. Codes may be added. */
            code: ("malformed_body" | "malformed_request" | "invalid_request" | "policy_not_renewable" | "cursor_unknown" | "not_eligible" | "renewal_overlaps_current_term" | "invalid_verification_token" | "premium_out_of_range" | "incident_not_covered" | "number_differs_by_case" | "incident_outside_every_term" | "amount_too_high" | "api_key_missing" | "ticket_invalid" | "session_ended" | "api_key_expired" | "api_key_invalid" | "cross_site" | "authority_exceeded" | "forbidden" | "merchant_key_required" | "route_not_found" | "policy_not_found" | "term_not_found" | "claim_not_found" | "customer_not_found" | "merchant_not_found" | "environment_not_found" | "provider_not_found" | "product_not_found" | "document_not_found" | "quote_not_found" | "mail_job_not_found" | "parked_document_not_found" | "not_known_yet" | "not_in_force_yet" | "person_not_found" | "key_not_found" | "command_not_found" | "verification_not_found" | "rebuild_not_found" | "method_not_allowed" | "term_overlaps" | "reference_ambiguous" | "amount_changed" | "customer_reference_taken" | "claim_reference_taken" | "claim_move_not_allowed" | "claim_withdrawn" | "incident_no_longer_covered" | "payment_already_reversed" | "claim_paid_after_day" | "policy_already_cancelled" | "policy_not_cancelled" | "policy_not_changeable" | "changed_after_day" | "policy_not_active" | "policy_already_active" | "policy_not_begun" | "policy_expired" | "term_already_withdrawn" | "term_already_begun" | "term_not_last" | "term_is_only_one" | "quote_expired" | "quote_already_purchased" | "merchant_already_verified" | "mail_job_not_parked" | "provider_already_registered" | "provider_already_confirmed" | "provider_not_confirmable" | "provider_withdrawn" | "kyc_already_confirmed" | "person_already_added" | "person_removed" | "key_already_revoked" | "nothing_to_change" | "product_withdrawn" | "product_not_withdrawn" | "precondition_failed" | "body_too_large" | "event_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "certificate_too_large" | "rate_limited" | "portfolio_running" | "verification_running" | "internal_error" | "document_damaged" | "busy" | "unavailable" | "event_unreadable" | "document_parked" | "read_models_building" | "position_not_reached") | string;
            request_id: string;
            /** @description Every wrong field */
            errors?: {
                /** @description Dotted path in the body, or the name of a parameter or header */
                field: string;
                message: string;
            }[];
            /**
             * @description Present in every problem of a renewal
             * @constant
             */
            renewal_status?: "failed";
            /** @description With `amount_too_high`: the highest amount allowed */
            limit?: string;
            /** @description With `amount_changed`: the amount now */
            amount?: string;
            /** @description With `event_unreadable`: the position of the event in the log */
            position?: string;
            /**
             * Format: date
             * @description With `renewal_overlaps_current_term`: the first day on which the new term may start
             */
            earliest_start?: string;
            /** @description With `claim_move_not_allowed`: the commands that the stage of the claim allows */
            allowed?: string[];
            /** @description With `reference_ambiguous`: the environments that use the reference, by number, at most 20 */
            candidates?: {
                environment_id: number;
                environment_name: string;
                test_mode: boolean;
                merchant_short_code: string;
                merchant_name: string;
            }[];
            /**
             * Format: uuid
             * @description With `verification_running`: the verification that is running
             */
            verification_id?: string;
            /** @description With `read_models_building`: the last position that is built and the newest one, null without events */
            progress?: {
                position: string | null;
                head: string | null;
            };
            /** @description With `position_not_reached`: the position of the newest event, null without events */
            head?: string | null;
        };
        Policy: {
            /** Format: uuid */
            policy_id: string;
            /** @description The insurer's reference */
            policy_number: string;
            /**
             * Format: date
             * @description First day of the term of the day; without one, of the last that has begun, else of the first
             */
            effective_from: string;
            /**
             * Format: date
             * @description Last day of that term as it was agreed; a cancellation does not change it
             */
            effective_through: string;
            /** @description Price of that term: net price, fee and tax; a cancellation does not change it */
            premium: string;
            /** @description Tax in the premium; null where it is not known, as in imported terms */
            tax: string | null;
            currency: string;
            /**
             * Format: uuid
             * @description Id of that term, which transactions name
             */
            term_id: string;
            policy_holder: {
                /** Format: uuid */
                customer_id: string;
                customer_name: string;
                customer_email: string;
                customer_phone: string | null;
            };
            /** @description Name of the merchant that sold it */
            merchant: string;
            merchant_short_code: string;
            environment_id: number;
            test_mode: boolean;
            /** @description IANA time zone in which its days are counted */
            time_zone: string;
            provider: {
                /** Format: uuid */
                provider_id: string;
                provider_name: string;
                email: string | null;
            };
            product: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @description Names of the coverages */
            coverage: string;
            /** @description Coverages of the day */
            coverages: components["schemas"]["Coverage"][];
            /** @description The product type */
            policy_type: string;
            renewable: boolean;
            auto_renew: boolean;
            /** @description The first instant after the last agreed day; null when not renewable, and once an end is recorded */
            renewal_date: string | null;
            inspection_required: boolean;
            /** @description Spelt so in the specification of the API */
            cerfication_required: boolean;
            /**
             * @description `active` also after the last term; `cancelled` from the day after the last day of cover, or on that day if decided on it or later
             * @enum {string}
             */
            status: "accepted" | "cancelled" | "active";
            /** @description Whether the policy covers the day: today in its time zone, or the day of `as_of` */
            in_force: boolean;
            /**
             * @description Cover on the same day. `not_begun`: the first term begins later; `waiting`: for its activation; `in_force`; `gap`: another term begins later; `expired`: the last term is over; `cancelled`: it has ended and is not in force
             * @enum {string}
             */
            cover: "not_begun" | "waiting" | "in_force" | "gap" | "expired" | "cancelled";
            /** @description The merchant's name, `admin`, or `import` */
            cancellation_initiator: string | null;
            cancellation_reason: string | null;
            /** @description An instant on the last day of cover (`effective_on`): that of the decision if made on this day, else 23:59:59; it may lie in the future */
            cancellation_date: string | null;
            beneficiaries: components["schemas"]["Beneficiary"][];
            /** @description The merchant's number of the customer as it is now, also in views of the past */
            customer_reference: string | null;
        };
        Coverage: {
            coverage_name: string;
            coverage_type: string | null;
            coverage_limit: string | null;
            /** @description Kept by the claimant, per claim */
            deductible: string | null;
            /** @description As they were sent with a change */
            covered_items?: unknown;
        };
        Beneficiary: {
            /** Format: uuid */
            beneficiary_id: string;
            beneficiary_name: string;
            relationship: string | null;
            /** @description Decimal string; all beneficiaries have one, or none */
            share_percent: string | null;
        };
        HistoryEntry: {
            stream: string;
            revision: number;
            /** @description Position in the log: decimal digits */
            position: string;
            /** Format: uuid */
            event_id: string;
            /** @description Name and version of the event as it is stored */
            type: string;
            /** @description When Surety recorded it; null only when this version of Surety cannot read the event */
            recorded_at: string | null;
            /** @description The business day; null only when this version of Surety cannot read the event */
            effective_at: string | null;
            /** @description Who did it, by the public id of the key. A merchant reads the role alone of who is not of a merchant; null only when this version of Surety cannot read the event */
            actor: {
                /** @enum {string} */
                role: "merchant" | "insurer" | "claims" | "admin" | "auditor" | "system";
                key_id: string | null;
                /** @description The person whose key it is */
                person_id: string | null;
                /** @description Name of the person as it is now, else the label of the key; of a process its name */
                label: string | null;
            } | null;
            /** @description null only when this version of Surety cannot read the event */
            command: string | null;
            /** @description null only when this version of Surety cannot read the event */
            command_id: string | null;
            request_id: string | null;
            /** @description One sentence for a person */
            summary: string;
            /** @description The fields of the event as recorded (`/docs/events`, here in snake case); a document by the SHA-256 of its content; null only when this version of Surety cannot read the event */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Changes of the resource, in an order in which they can be applied */
            changes: components["schemas"]["Change"][];
        };
        Change: {
            /** @description JSON Pointer (RFC 6901) into the single resource */
            path: string;
            /** @description Left out where the member did not exist */
            before?: unknown;
            /** @description Left out where the member no longer exists */
            after?: unknown;
        };
        Term: {
            /** Format: uuid */
            term_id: string;
            /**
             * Format: date
             * @description First day
             */
            from: string;
            /**
             * Format: date
             * @description Last day as agreed; a cancellation does not change it
             */
            through: string;
            /** @description Price of the term: net price, fee and tax; transactions have what was returned */
            premium: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            net: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            fee: string;
            /** @description Tax on net price and fee; null where it is not known, as in imported terms */
            tax: string | null;
            /** @description Commission, a part of the net price; null where it is not known, as in imported terms */
            commission: string | null;
            currency: string;
            /** @description They follow one another and fill the term */
            periods: components["schemas"]["Period"][];
            /** @description Payments for incidents of the term, by the coverages of its last period */
            claim_payments: {
                coverage_name: string;
                /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
                paid: string;
                /** @description Null without a limit */
                limit_left: string | null;
            }[];
            /**
             * @description On this day, in the zone of the policy. `upcoming` also while the policy waits for activation; `past` also after a cancellation that cuts the term short; `cancelled`: the policy ended before the first day
             * @enum {string}
             */
            state: "past" | "in_force" | "upcoming" | "withdrawn" | "cancelled";
        };
        Period: {
            /** Format: date */
            from: string;
            /** Format: date */
            through: string;
            coverages: components["schemas"]["Coverage"][];
            /** @description Net price of a year; of an imported term rounded */
            annual_net: string;
            /** @description Its part of the net price of the term */
            net: string;
        };
        Transaction: {
            /**
             * Format: uuid
             * @description The same in every replay of the log
             */
            transaction_id: string;
            /** @enum {string} */
            kind: "premium" | "premium_change" | "return_premium" | "premium_reinstated" | "claim_payment";
            /** @description Sum of net price, fee and tax. Negative for return premiums and claim payments; of either sign for changes */
            amount: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            net: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            fee: string;
            /** @description Null where it is not known, and for claim payments */
            tax: string | null;
            /** @description A part of the net price; null where it is not known, and for claim payments */
            commission: string | null;
            currency: string;
            /**
             * Format: date
             * @description Of a premium the first day of its term; of another entry of a term the business day of the event, or that first day if it is later; of a claim payment its day, of its reversal the day of that
             */
            date: string;
            /** Format: date-time */
            recorded_at: string;
            /**
             * Format: uuid
             * @description The event that it follows from
             */
            event_id: string;
            /** Format: uuid */
            policy_id: string;
            claim_id: string | null;
            /** @description Null for claim payments */
            term_id: string | null;
            /** @description The term as it was recorded; null for claim payments */
            term: {
                /** Format: date */
                from: string;
                /** Format: date */
                through: string;
            } | null;
        };
        MerchantTransaction: {
            /**
             * Format: uuid
             * @description The same in every replay of the log
             */
            transaction_id: string;
            /** @enum {string} */
            kind: "premium" | "premium_change" | "return_premium" | "premium_reinstated" | "claim_payment";
            /** @description Sum of net price, fee and tax. Negative for return premiums and claim payments; of either sign for changes */
            amount: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            net: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            fee: string;
            /** @description Null where it is not known, and for claim payments */
            tax: string | null;
            /** @description A part of the net price; null where it is not known, and for claim payments */
            commission: string | null;
            currency: string;
            /**
             * Format: date
             * @description Of a premium the first day of its term; of another entry of a term the business day of the event, or that first day if it is later; of a claim payment its day, of its reversal the day of that
             */
            date: string;
            /** Format: date-time */
            recorded_at: string;
            /**
             * Format: uuid
             * @description The event that it follows from
             */
            event_id: string;
            /** Format: uuid */
            policy_id: string;
            claim_id: string | null;
            /** @description Null for claim payments */
            term_id: string | null;
            /** @description The term as it was recorded; null for claim payments */
            term: {
                /** Format: date */
                from: string;
                /** Format: date */
                through: string;
            } | null;
            policy_number: string;
            /** Format: uuid */
            customer_id: string;
            /** @description The merchant's number of the customer as it is now */
            customer_reference: string | null;
            /** @description `product.name` of the policy */
            product: string;
            /** @description `provider.provider_name` of the policy */
            insurer: string;
        };
        PurchasePolicyRequest: {
            quote_code?: string;
            purchase_id?: string;
            /** @description The policy holder: needed when the quote was requested without one, and only then taken */
            customer_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: email */
                email: string;
                phone?: string;
                residential_address?: {
                    street?: string;
                    city?: string;
                    state?: string;
                    country?: string;
                    house_number?: string;
                    postal_code?: string;
                };
                /** Format: date */
                date_of_birth?: string;
                customer_gender?: string;
                occupation?: string;
                /** Format: uri */
                identity_card_img?: string;
                /** Format: uri */
                utility_bill_img?: string;
                identity_card_number?: string;
                identity_card_type?: string;
                /** Format: date */
                identity_card_expiry_date?: string;
            };
            /** @description The merchant's number of the customer, who is found by it, or gets it */
            customer_reference?: string | null;
            /**
             * Format: date
             * @description First day of cover; today when left out, never in the past
             */
            effective_from?: string;
            /** @description Days; 365 are a year; that of the quote when left out */
            policy_duration?: number;
            /** @description Default: false */
            auto_renew?: boolean;
            beneficiaries?: {
                beneficiary_name: string;
                relationship?: string | null;
                /** @description Percentage of what is paid; all beneficiaries have one, or none */
                share_percent?: (string | number) | null;
            }[];
        };
        RenewPolicyRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            /** Format: date */
            preferred_policy_start_date: string;
            policy_duration: number;
            /** @description Default: false */
            include_additional_coverage?: boolean;
            /** @description Default: false */
            modify_exisitng_coverage?: boolean;
            coverage_details?: {
                [key: string]: unknown;
            };
            /** @description Default: false */
            auto_renew?: boolean;
            /** @description The premium of the new term, as a preview showed it: another amount is refused */
            expected_amount?: string | number;
        };
        CancelPolicyRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            cancellation_reason: string;
            /**
             * Format: date
             * @description Last day of cover; today when left out. From today through the last day of the term in force; for the platform also an earlier day of that term
             */
            effective_on?: string;
            /** @description What is returned (`refund_amount`), as a preview showed it: another amount is refused */
            expected_amount?: string | number;
            merchant_feedback?: string;
            /** @description Any JSON: policies or offers that the merchant proposes instead */
            alternative_offerings?: unknown;
        };
        ChangePolicyRequest: {
            changes: {
                /** @enum {string} */
                action: "add" | "modify" | "remove";
                coverage_name?: string;
                coverage_type?: string;
                coverage_limit?: (string | number) | null;
                deductible?: (string | number) | null;
                /** @description Any JSON */
                covered_items?: unknown;
                /** @description What a year costs more, tax included; negative: less */
                additional_amount?: string | number;
            }[];
            reason?: string;
            /** @description What all terms cost more (`premium_difference`), as a preview showed it: another amount is refused */
            expected_amount?: string | number;
        };
        SetBeneficiariesRequest: {
            beneficiaries: {
                beneficiary_name: string;
                relationship?: string | null;
                /** @description Percentage of what is paid; all beneficiaries have one, or none */
                share_percent?: (string | number) | null;
            }[];
        };
        SetAutoRenewRequest: {
            auto_renew: boolean;
        };
        Quote: {
            quote_code: string;
            /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
            base_price: string;
            /** @description Decimal string, at most 8 integer and 2 decimal digits */
            premium: string;
            /** @description The days that the premium is for; null: a year */
            policy_duration: number | null;
            /**
             * Format: date-time
             * @description From then on the quote cannot be bought
             */
            quote_expiry_date: string;
            product: {
                /** Format: uuid */
                id: string;
                created_at: string | null;
                updated_at: string | null;
                is_trashed: boolean;
                trashed_at: string | null;
                restored_at: string | null;
                name: string;
                description: string;
                /** @enum {string} */
                product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
                /** Format: uuid */
                provider: string;
                coverage_details: string | null;
                insurer: string;
                price: {
                    /** @description Net price and discount together, before surcharges and tax */
                    amount: number;
                    description: string;
                    currency: string;
                    discount_amount: number;
                    surcharges: number;
                    tax: number;
                    /** @description Part of the net price */
                    commission: number;
                };
                /** @description The amounts of `price` as decimal strings, which are exact */
                price_text: {
                    /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
                    amount: string;
                    /** @description Decimal string with 2 decimal digits; a sum may have more than 8 integer digits */
                    discount_amount: string;
                    /** @description Decimal string, at most 8 integer and 2 decimal digits */
                    surcharges: string;
                    /** @description Decimal string, at most 8 integer and 2 decimal digits */
                    tax: string;
                    /** @description Decimal string, at most 8 integer and 2 decimal digits */
                    commission: string;
                };
            };
        };
        RequestQuotesRequest: {
            /** @description The customer; may also be given when the quote is bought */
            customer_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: email */
                email: string;
                phone?: string;
                residential_address?: {
                    street?: string;
                    city?: string;
                    state?: string;
                    country?: string;
                    house_number?: string;
                    postal_code?: string;
                };
                /** Format: date */
                date_of_birth?: string;
                customer_gender?: string;
                occupation?: string;
                /** Format: uri */
                identity_card_img?: string;
                /** Format: uri */
                utility_bill_img?: string;
                identity_card_number?: string;
                identity_card_type?: string;
                /** Format: date */
                identity_card_expiry_date?: string;
            };
            insurance_details: {
                /** @constant */
                product_type: "Auto";
                additional_information: {
                    /** @enum {string} */
                    vehicle_type: "Car" | "Bike";
                    /** @description Needed for cars */
                    vehicle_make?: string;
                    vehicle_model?: string;
                    /** @description From 1950 to the present year */
                    vehicle_year: number | string;
                    vehicle_value: number | string;
                    /** @enum {string} */
                    vehicle_usage: "Private" | "Commercial" | "Rideshare";
                    insurance_options: string;
                    vehicle_usage_details?: string;
                    vehicle_mileage?: number | string;
                    /** @enum {string} */
                    vehicle_location?: "urban" | "suburban" | "rural";
                    /** @enum {string} */
                    vehicle_location_details?: "high_crime" | "low_crime" | "safe";
                    vehicle_purpose?: string;
                    vehicle_purpose_details?: string;
                    /** @enum {string} */
                    vehicle_category?: "Saloon" | "Suv" | "Truck" | "Van" | "Motorcycle";
                };
            } | {
                /** @constant */
                product_type: "Gadget";
                additional_information: {
                    /** @enum {string} */
                    gadget_type: "Pos" | "Smartphone" | "Laptop" | "Tablet" | "Smartwatch" | "Camera" | "Headphones" | "Other";
                    gadget_value: number | string;
                    insurance_options: string;
                    /** @description For example make and model */
                    gadget_information?: {
                        [key: string]: unknown;
                    };
                    usage_history?: {
                        [key: string]: unknown;
                    };
                };
            } | {
                /** @constant */
                product_type: "Health";
                additional_information: {
                    /** @enum {string} */
                    health_condition: "good" | "fair" | "poor" | "critical";
                    age: number | string;
                    /** @enum {string} */
                    coverage_type?: "basic" | "standard" | "premium";
                    /** @enum {string} */
                    coverage_type_details?: "individual" | "family" | "group";
                };
            } | {
                /** @constant */
                product_type: "Home";
                additional_information: {
                    /** @enum {string} */
                    property_type: "house" | "apartment" | "condo";
                    property_value: number | string;
                    stationary_items_value: number | string;
                    mobile_items_value: number | string;
                    property_location: string;
                    security_details?: {
                        [key: string]: unknown;
                    };
                };
            } | {
                /** @constant */
                product_type: "Personal_Accident";
                additional_information: {
                    occupation: string;
                    /** @enum {string} */
                    occupation_risk_level?: "low" | "medium" | "high";
                    /** @enum {string} */
                    occupation_risk_details?: "office" | "field" | "remote";
                };
            } | {
                /** @constant */
                product_type: "Travel";
                additional_information: {
                    destination: string;
                    /** Format: date */
                    departure_date: string;
                    /** Format: date */
                    return_date: string;
                    /** @description 1 unless given. Default: 1 */
                    number_of_travellers?: number | string;
                    /** @description Days */
                    trip_duration?: number | string;
                    /** @enum {string} */
                    trip_type?: "one_way" | "round_trip";
                    trip_type_details?: string;
                    /** @description Default: false */
                    international_flight?: boolean;
                    insurance_options?: string;
                    user_age?: number | string;
                    travel_purpose?: string;
                    travel_mode?: string;
                };
            } | {
                /** @constant */
                product_type: "Cargo";
                additional_information: {
                    /** @enum {string} */
                    shipment_type: "domestic" | "international";
                    shipment_value: number | string;
                    shipment_origin: string;
                    shipment_destination: string;
                    shipment_carrier: string;
                    /** @description For example tracking_number and service_type */
                    shipment_carrier_details?: {
                        [key: string]: unknown;
                    };
                    exchange_rate?: number | string;
                };
            } | {
                /** @enum {string} */
                product_type: "Life" | "Student_Protection" | "Accident" | "CreditLife" | "PetCare" | "General" | "Other";
                /** @description Default: {} */
                additional_information?: {
                    [key: string]: unknown;
                };
            };
            coverage_preferences?: {
                /** @description Keeps offers with a coverage of at least one of these types */
                coverage_type?: string[];
                /** @description Keeps offers with a coverage limit of at least this */
                coverage_amount?: number | string;
                /** @description Keeps offers that have coverages of all of these names */
                additional_coverages?: string[];
            };
            /** @description The days for which the quotes are priced; a year when left out */
            policy_duration?: number;
        };
        QuoteItem: {
            quote_code: string;
            /** @description Name of the insurer */
            provider: string;
            /** @description Name of the product */
            product: string;
            /** @enum {string} */
            product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            /** @description For a year, before loadings, discount, surcharge and tax */
            base_price: string;
            /** @description What the asked duration costs, tax included */
            premium: string;
            /** @description Another id of the quote, for payment providers */
            purchase_id: string;
            /** @description What helps to choose; the members `device_*` are there for gadgets */
            additional_metadata: {
                device_type?: string | null;
                device_make?: string | null;
                device_model?: string | null;
                device_value?: string | null;
                tier_name: string | null;
                product_plan: string | null;
                currency: string;
                coverages: {
                    coverage_name: string;
                    coverage_description: string | null;
                    coverage_type: string | null;
                    coverage_limit: string | null;
                    deductible: string | null;
                }[];
            };
        };
        NotOffered: {
            /** Format: uuid */
            product_id: string;
            /** @description Name of the product */
            product: string;
            /** @description Name of the insurer */
            provider: string;
            reasons: {
                /** @enum {string} */
                code: "field_missing" | "field_invalid" | "not_eligible" | "refused" | "not_rated" | "premium_out_of_range";
                /** @description The field of the request */
                field: string | null;
                message: string;
            }[];
        };
        ClaimItem: {
            /** Format: uuid */
            claim_id: string;
            claim_reference_number: string;
            /** @enum {string} */
            claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
            /**
             * Format: date
             * @description The day it was filed
             */
            claim_date: string;
            /** @description What is claimed, as filed or last revised */
            claim_details: {
                claim_type: string;
                /** Format: date */
                incident_date: string;
                incident_description: string | null;
                claim_amount: string | null;
                /** @description Null until it is known */
                coverage_name: string | null;
            };
            /** @description The holder of the policy, as recorded there */
            claimant: {
                /** Format: uuid */
                customer_id: string;
                customer_name: string;
                customer_email: string;
                customer_phone: string | null;
            };
            /** @description As filed: the claimant, where it is not the holder */
            claimant_metadata: {
                [key: string]: string;
            } | null;
            claim_amount: string | null;
            currency: string;
            /** @description Amounts; null where not known */
            settlement: {
                /** @description In all, after the deductible */
                approved_amount: string | null;
                /** @description The open or accepted offer */
                offer_amount: string | null;
                /** @description Payments that were not reversed; null before the first */
                paid_amount: string | null;
                /** @description What is left to pay; null without an approval, 0.00 when closed */
                outstanding: string | null;
                /** @description Of the coverage, for all claims of one term together; null: none */
                limit: string | null;
                /** @description Of the coverage, for each claim */
                deductible: string | null;
            };
            payments: {
                /** Format: uuid */
                payment_id: string;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                amount: string;
                /** Format: date */
                paid_on: string;
                reference: string | null;
                /** @description From this day on it counts nowhere */
                reversed_on: string | null;
            }[];
            /** @description Day of the last payment, of the denial or of the withdrawal */
            date_resolved: string | null;
            insurer: string;
            product: {
                name: string;
                product_type: string;
            };
            /**
             * Format: uuid
             * @description The policy id
             */
            policy: string;
            policy_number: string;
            merchant_short_code: string;
            environment_id: number;
            test_mode: boolean;
            /** @description IANA time zone in which its days are counted; that of the policy */
            time_zone: string;
            claim_status_timeline: {
                time_stamp: string;
                /** @enum {string} */
                name: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn" | "part paid" | "payment reversed" | "reopened";
            }[];
            timeline_utc: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                name: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn" | "part paid" | "payment reversed" | "reopened";
            }[];
            /** @description Who works it; null to merchants */
            assignee: {
                /** @description Of the person or the key, as AssignClaim takes it */
                id: string;
                /** @description Name of the person as it is now, or the label of the key; null where not known */
                label: string | null;
            } | null;
            /** @description Notes and reasons of the platform and the merchant, one a line; both read them */
            notes: string | null;
            note_entries: {
                /** Format: date-time */
                at: string;
                /** @description Name of the person as it is now, else the label of the key, else the role. A merchant reads the role alone of who is not of a merchant */
                by: string;
                text: string;
            }[];
            /** @description The commands that the claim takes from the reader now; none in views of the past and in results of commands. Amounts, limits and cover are judged when a command is sent */
            allowed_moves: {
                command: string;
                /** @description Where a merchant sends it; null for other readers */
                public_path: string | null;
                /** @description What must be given besides the id of the claim */
                fields: string[];
            }[];
        };
        Claim: {
            /** Format: uuid */
            claim_id: string;
            claim_reference_number: string;
            /** @enum {string} */
            claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
            /**
             * Format: date
             * @description The day it was filed
             */
            claim_date: string;
            /** @description What is claimed, as filed or last revised */
            claim_details: {
                claim_type: string;
                /** Format: date */
                incident_date: string;
                incident_description: string | null;
                claim_amount: string | null;
                /** @description Null until it is known */
                coverage_name: string | null;
            };
            /** @description The holder of the policy, as recorded there */
            claimant: {
                /** Format: uuid */
                customer_id: string;
                customer_name: string;
                customer_email: string;
                customer_phone: string | null;
            };
            /** @description As filed: the claimant, where it is not the holder */
            claimant_metadata: {
                [key: string]: string;
            } | null;
            claim_amount: string | null;
            currency: string;
            /** @description Amounts; null where not known */
            settlement: {
                /** @description In all, after the deductible */
                approved_amount: string | null;
                /** @description The open or accepted offer */
                offer_amount: string | null;
                /** @description Payments that were not reversed; null before the first */
                paid_amount: string | null;
                /** @description What is left to pay; null without an approval, 0.00 when closed */
                outstanding: string | null;
                /** @description Of the coverage, for all claims of one term together; null: none */
                limit: string | null;
                /** @description Of the coverage, for each claim */
                deductible: string | null;
            };
            payments: {
                /** Format: uuid */
                payment_id: string;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                amount: string;
                /** Format: date */
                paid_on: string;
                reference: string | null;
                /** @description From this day on it counts nowhere */
                reversed_on: string | null;
            }[];
            /** @description Day of the last payment, of the denial or of the withdrawal */
            date_resolved: string | null;
            insurer: string;
            product: {
                name: string;
                product_type: string;
            };
            /**
             * Format: uuid
             * @description The policy id
             */
            policy: string;
            policy_number: string;
            merchant_short_code: string;
            environment_id: number;
            test_mode: boolean;
            /** @description IANA time zone in which its days are counted; that of the policy */
            time_zone: string;
            claim_status_timeline: {
                time_stamp: string;
                /** @enum {string} */
                name: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn" | "part paid" | "payment reversed" | "reopened";
            }[];
            timeline_utc: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                name: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn" | "part paid" | "payment reversed" | "reopened";
            }[];
            /** @description Who works it; null to merchants */
            assignee: {
                /** @description Of the person or the key, as AssignClaim takes it */
                id: string;
                /** @description Name of the person as it is now, or the label of the key; null where not known */
                label: string | null;
            } | null;
            /** @description Notes and reasons of the platform and the merchant, one a line; both read them */
            notes: string | null;
            note_entries: {
                /** Format: date-time */
                at: string;
                /** @description Name of the person as it is now, else the label of the key, else the role. A merchant reads the role alone of who is not of a merchant */
                by: string;
                text: string;
            }[];
            documents: {
                document_name: string;
                evidence_type: string | null;
                /** @description By the first bytes */
                content_type: string;
                /** @description Bytes */
                size: number;
                /** @description SHA-256 of the content, by which it is downloaded */
                sha256: string;
                /** @description The content; left out with `include_blobs=false`, and by commands without `include_blobs=true`; null only in the response of a command, where the stored one is damaged */
                blob?: string | null;
                /** Format: date-time */
                uploaded_at: string;
            }[];
            /** @description The commands that the claim takes from the reader now; none in views of the past and in results of commands. Amounts, limits and cover are judged when a command is sent */
            allowed_moves: {
                command: string;
                /** @description Where a merchant sends it; null for other readers */
                public_path: string | null;
                /** @description What must be given besides the id of the claim */
                fields: string[];
            }[];
        };
        AddClaimDocumentsRequest: {
            documents: {
                /** @description The name of the file; folders before it and marks of direction are dropped */
                document_name: string;
                evidence_type: string | null;
                /** @description The content, base64 */
                blob: string;
            }[];
        };
        SubmitClaimRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            claim_details: {
                claim_type: string;
                /** Format: date */
                incident_date: string;
                incident_description?: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                claim_amount?: string | number;
                /** @description Of a coverage on the day of the incident */
                coverage_name?: string;
            };
            claimant_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: date */
                birth_date: string;
                /** Format: email */
                email: string;
                phone_number?: string;
                relationship?: string;
            };
            documents?: {
                /** @description The name of the file; folders before it and marks of direction are dropped */
                document_name: string;
                evidence_type: string | null;
                /** @description The content, base64 */
                blob: string;
            }[];
        };
        AcceptClaimOfferRequest: Record<string, never>;
        RejectClaimOfferRequest: {
            reason: string;
        };
        WithdrawClaimRequest: {
            reason: string;
        };
        AddClaimNoteRequest: {
            text: string;
        };
        CustomerItem: {
            /** Format: uuid */
            customer_id: string;
            /** @description The merchant's number of the customer */
            customer_reference: string | null;
            full_name: string;
            customer_email: string;
            customer_phone: string | null;
            date_of_birth: string | null;
            address: string | null;
            merchant_short_code: string;
            test_mode: boolean;
            /** @description The lists of all its policies, claims and transactions, relative to this origin */
            links: {
                /** Format: uri-reference */
                policies: string;
                /** Format: uri-reference */
                claims: string;
                /** Format: uri-reference */
                transactions: string;
            };
        };
        Customer: {
            /** Format: uuid */
            customer_id: string;
            /** @description The merchant's number of the customer */
            customer_reference: string | null;
            full_name: string;
            customer_email: string;
            customer_phone: string | null;
            date_of_birth: string | null;
            address: string | null;
            merchant_short_code: string;
            test_mode: boolean;
            /** @description All policies: the newest 100, oldest first */
            purchased_policies: components["schemas"]["PolicySummary"][];
            purchased_policies_count: number;
            /** @description Policies in force today, in the zone of each, and not cancelled: the newest 100, oldest first */
            active_policies: components["schemas"]["PolicySummary"][];
            active_policies_count: number;
            /** @description Claims neither paid, denied nor withdrawn: the newest 100, oldest first */
            active_claims: components["schemas"]["ClaimSummary"][];
            active_claims_count: number;
            /** @description The lists of all its policies, claims and transactions, relative to this origin */
            links: {
                /** Format: uri-reference */
                policies: string;
                /** Format: uri-reference */
                claims: string;
                /** Format: uri-reference */
                transactions: string;
            };
        };
        PolicySummary: {
            /** Format: uuid */
            policy_id: string;
            policy_type: string;
            status: string;
            /** @description Whether the policy covers the day: today in its time zone, or the day of `as_of` */
            in_force: boolean;
            /**
             * @description Cover on the same day. `not_begun`: the first term begins later; `waiting`: for its activation; `in_force`; `gap`: another term begins later; `expired`: the last term is over; `cancelled`: it has ended and is not in force
             * @enum {string}
             */
            cover: "not_begun" | "waiting" | "in_force" | "gap" | "expired" | "cancelled";
            /**
             * Format: date
             * @description First day of the term that the policy shows today
             */
            start_date: string;
            /** Format: date */
            end_date: string;
            /** @description Decimal string, at most 8 integer and 2 decimal digits */
            premium_amount: string;
        };
        ClaimSummary: {
            /** Format: uuid */
            claim_id: string;
            claim_reference_number: string;
            /** Format: uuid */
            policy_id: string;
            policy_number: string;
            /** @enum {string} */
            claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
            claim_amount: string | null;
            currency: string;
            /** Format: date */
            date_filed: string;
            /** @description The day on which it was paid, denied or withdrawn */
            date_resolved: string | null;
        };
        UpdateCustomerRequest: {
            full_name?: string;
            /** Format: email */
            customer_email?: string;
            /** @description null clears it */
            customer_phone?: string | null;
            /** @description null clears it */
            address?: string | null;
            /** @description null clears it; not in the future */
            date_of_birth?: string | null;
            /** @description null clears it */
            customer_reference?: string | null;
        };
        CustomerHistoryEntry: {
            stream: string;
            revision: number;
            /** @description Position in the log: decimal digits */
            position: string;
            /** Format: uuid */
            event_id: string;
            /** @description Name and version of the event as it is stored */
            type: string;
            /** @description When Surety recorded it; null only when this version of Surety cannot read the event */
            recorded_at: string | null;
            /** @description The business day; null only when this version of Surety cannot read the event */
            effective_at: string | null;
            /** @description Who did it, by the public id of the key. A merchant reads the role alone of who is not of a merchant; null only when this version of Surety cannot read the event */
            actor: {
                /** @enum {string} */
                role: "merchant" | "insurer" | "claims" | "admin" | "auditor" | "system";
                key_id: string | null;
                /** @description The person whose key it is */
                person_id: string | null;
                /** @description Name of the person as it is now, else the label of the key; of a process its name */
                label: string | null;
            } | null;
            /** @description null only when this version of Surety cannot read the event */
            command: string | null;
            /** @description null only when this version of Surety cannot read the event */
            command_id: string | null;
            request_id: string | null;
            /** @description One sentence for a person */
            summary: string;
            /** @description The fields of the event as recorded (`/docs/events`, here in snake case); a document by the SHA-256 of its content; null only when this version of Surety cannot read the event */
            data: {
                [key: string]: unknown;
            } | null;
            /** @description Changes of the resource, in an order in which they can be applied */
            changes: components["schemas"]["Change"][];
            /** @description The resource into which `changes` point: `customers/{id}` (without its lists), `policies/{id}` or `claims/{id}` */
            resource: string;
        };
        Merchant: {
            id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            name: string;
            tenant_id: string | null;
            is_trashed: boolean;
            trashed_at: string | null;
            restored_at: string | null;
            short_code: string | null;
            business_email: string | null;
            support_email: string | null;
            /** @description Whether its e-mail is verified */
            is_active: boolean;
            tax_identification_number: string | null;
            registration_number: string | null;
            address: string | null;
            /** @description Whether the platform has checked it */
            kyc_verified: boolean;
            user: string | null;
        };
        EnvironmentItem: {
            environment_id: number;
            environment_name: string;
            test_mode: boolean;
            client_id: string;
            /** @description IANA time zone: days of its policies and claims are days of this zone */
            time_zone: string;
        };
        Environment: {
            environment_name: string;
            test_mode: boolean;
            client_id: string;
            /** @description IANA time zone: days of its policies and claims are days of this zone */
            time_zone: string;
        };
        ApiKey: {
            /** @description The public id, by which it is revoked */
            key_id: string;
            /** @description Who or what uses the key */
            label: string;
            /**
             * @description Of a key of a person: at the time of the issue
             * @enum {string}
             */
            role: "merchant" | "insurer" | "claims" | "admin" | "auditor";
            /** @description The insurer of a key with the role `insurer`; of a key of a person: at the time of the issue */
            provider_id: string | null;
            /** @description The person whose key it is */
            person_id: string | null;
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access: "full" | "read";
            /** @description From then on it is rejected */
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            revoked_at: string | null;
        };
        Me: {
            /** @enum {string} */
            role: "merchant" | "insurer" | "claims" | "admin" | "auditor";
            /** @description Null for a session that was opened without a key */
            key_id: string | null;
            /** @description Null for a session that was opened without a key */
            label: string | null;
            /** @description Null for a key of no person */
            person: {
                /** Format: uuid */
                person_id: string;
                name: string;
            } | null;
            /** @description Up to which amounts an insurer or a claims handler decides; null: no limit */
            authority: {
                currency: string;
                /** @description Null: without a bound */
                approve_up_to: string | null;
                /** @description Null: without a bound */
                pay_up_to: string | null;
                /** @description Bounds nothing yet, because claims have no reserves */
                reserve_up_to: string | null;
            } | null;
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access: "full" | "read";
            /** @description From then on the key is rejected */
            expires_at: string | null;
            /** @description The insurer of the role `insurer`; null for other roles */
            provider_id: string | null;
            /** @description Null for other roles than `merchant` */
            merchant: {
                short_code: string;
                name: string;
            } | null;
            /** @description Null for other roles than `merchant` */
            environment: {
                /** @description Its number */
                id: number;
                name: string;
                test_mode: boolean;
                /** @description IANA time zone: days of its policies and claims are days of this zone */
                time_zone: string;
            } | null;
            /** @description Of a person of a merchant without a key those of the merchant, of which `Surety-Environment` names one; of a key its own; none for other roles */
            environments: {
                /** @description Its number */
                id: number;
                name: string;
                test_mode: boolean;
                /** @description IANA time zone: days of its policies and claims are days of this zone */
                time_zone: string;
            }[];
        };
        Work: {
            /** @description Open claims by stage */
            claims: {
                submitted: number;
                "under review": number;
                "pending approval": number;
                approved: number;
                "offer sent": number;
                "offer accepted": number;
                "offer rejected": number;
            };
            /** @description Open claims that are assigned to the person, or to the key; not of merchants and auditors */
            assigned_to_me?: number;
            /** @description Claims with an open offer; of merchants */
            offers_to_answer?: number;
            /** @description Policies that wait for ActivatePolicy; of administrators */
            policies_waiting?: number;
            /** @description Policies with a `renewal_date` from today to 30 days ahead, by the day in UTC; of merchants */
            renewals_due?: number;
            /** @description Keys that expire within 14 days: of merchants those of the environment, of administrators all */
            keys_expiring?: number;
            /** @description Of administrators and auditors */
            parked_documents?: number;
            /** @description Of administrators and auditors */
            parked_mails?: number;
        };
        FindRequest: {
            /** @description Words of a name, a number, reference, e-mail, phone, short code or id */
            text: string;
            /** @description Only what belongs to this merchant */
            short_code?: string;
            /** @description True finds test data; a merchant key is bound to its mode */
            test_mode?: boolean;
        };
        SearchResult: {
            /** @enum {string} */
            kind: "policy" | "claim" | "customer" | "merchant" | "insurer" | "product";
            /** @description What the path of the resource takes: its id; of a merchant the short code */
            id: string;
            /** @description Policy number, claim reference, reference of the customer (null without one) or short code of the merchant; null for an insurer and a product */
            number: string | null;
            /** @description Name, or number of a policy or claim */
            title: string;
            /** @description What distinguishes it from others of this title, parts with ` · ` between them */
            subtitle: string | null;
            /** @description null for an insurer and a product */
            merchant_short_code: string | null;
            /** @description Null for a merchant, an insurer and a product */
            environment_id: number | null;
            /** @description Null for what belongs to both modes */
            test_mode: boolean | null;
        };
        ProductItem: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            is_trashed: boolean;
            trashed_at: string | null;
            restored_at: string | null;
            name: string;
            description: string;
            /** @enum {string} */
            product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            is_live: boolean;
            coverage_details: string | null;
            /** Format: uuid */
            provider: string;
        };
        Product: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            is_trashed: boolean;
            trashed_at: string | null;
            restored_at: string | null;
            name: string;
            description: string;
            /** @enum {string} */
            product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            is_live: boolean;
            coverages: {
                coverage_id: string;
                coverage_name: string;
                coverage_description: string | null;
                coverage_type: string | null;
                coverage_limit: string | null;
                deductible: string | null;
            }[];
            provider: {
                /** Format: uuid */
                provider_id: string;
                provider_name: string | null;
                email: string | null;
            };
            currency: string;
            /** @description Where prices start from, for a year */
            base_premium: string;
            origin_product_id: number | null;
            product_plan: string | null;
            /** @description What a year costs without what depends on the risk, and without discount */
            pricing: {
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                amount: string;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                tax: string;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                surcharges: string;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                total_price: string;
            };
            /** @description Ages in whole years, both inclusive, between which a person can be insured; null: no bound */
            eligibility: {
                min_age: number | null;
                max_age: number | null;
            };
            /** @description What a cancellation returns; null: no rules of its own */
            cancellation: {
                cooling_off_days: number;
                refund_after_claim: boolean;
                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                minimum_retained: string;
            } | null;
        };
        Provider: {
            /** Format: uuid */
            id: string;
            name: string;
            address: string | null;
            phone_number: string | null;
            /** @description Whether every merchant sees it; false: only the merchant that registered it, until it is confirmed, or whose import did */
            is_confirmed: boolean;
            /** @description Only platform keys find a withdrawn provider */
            withdrawn_at: string | null;
        };
        RegisterProviderRequest: {
            name: string;
            /** Format: email */
            support_email: string;
            support_phone: string;
            address?: string | null;
        };
        OpenSessionRequest: {
            api_key?: string;
            /** @description Of `surety sign-in` or `IssueTicket`: works once */
            ticket?: string;
        };
        Person: {
            /** Format: uuid */
            person_id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "merchant" | "insurer" | "claims" | "admin" | "auditor";
            /** @description The merchant of a person with the role `merchant` */
            short_code: string | null;
            /** @description The insurer of a person with the role `insurer` */
            provider_id: string | null;
            /** @description Up to which amounts an insurer or a claims handler decides; null: no limit */
            authority: {
                currency: string;
                /** @description Null: without a bound */
                approve_up_to: string | null;
                /** @description Null: without a bound */
                pay_up_to: string | null;
                /** @description Bounds nothing yet, because claims have no reserves */
                reserve_up_to: string | null;
            } | null;
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access: "full" | "read";
            /** Format: date-time */
            added_at: string;
            removed_at: string | null;
        };
        ParkedDocument: {
            collection: string;
            key: string;
            reason: string;
            event_id: string;
            event_type: string;
            position: string;
        };
        MailJob: {
            /** Format: uuid */
            job_id: string;
            /** @enum {string} */
            kind: "verification" | "onboarding";
            /** Format: uuid */
            tenant_id: string;
            /** @enum {string} */
            status: "requested" | "waiting" | "sent" | "parked" | "dropped";
            reason: ("refused" | "outcome_unknown" | "replaced" | "already_verified" | "link_expired" | "merchant_unknown") | null;
            attempts: number;
            /** Format: date-time */
            created_at: string;
            last_attempt_at: string | null;
            requested_at: string | null;
            requests: number;
            due_at: string | null;
            next_attempt_at: string | null;
            last_error: ("server_unreachable" | "connection_lost" | "tls_failed" | "login_refused" | "sender_refused" | "recipient_refused" | "message_refused" | "timeout" | "not_written") | null;
            smtp_code: number | null;
        };
        CommandEntry: {
            name: string;
            summary: string;
            path: string;
            creates: boolean;
            /** @description JSON Schema of the body */
            body: {
                [key: string]: unknown;
            };
        };
        AdminRegisterMerchantRequest: {
            name: string;
            /** Format: email */
            business_email: string;
            support_email?: string | null;
            address?: string | null;
            tax_identification_number?: string | null;
            registration_number?: string | null;
        };
        AdminUpdateMerchantRequest: {
            /** @description Short code of the merchant */
            short_code: string;
            name?: string;
            /** Format: email */
            business_email?: string;
            support_email?: string | null;
            address?: string | null;
            tax_identification_number?: string | null;
            registration_number?: string | null;
        };
        AdminConfirmKycRequest: {
            /** @description Short code of the merchant */
            short_code: string;
        };
        AdminResendVerificationRequest: {
            /** @description Short code of the merchant */
            short_code: string;
        };
        AdminVerifyMerchantRequest: {
            /** @description Short code of the merchant */
            short_code: string;
            /** @description From the link in the verification mail */
            token: string;
        };
        AdminCreateEnvironmentRequest: {
            /** @description Short code of the merchant */
            short_code: string;
            environment_name: string;
            test_mode: boolean;
            /** @description IANA time zone. Default: "UTC" */
            time_zone?: string;
        };
        AdminIssueApiKeyRequest: {
            /** @description For a key of a merchant */
            environment_id?: number;
            /**
             * @description For a key of the platform or of an insurer
             * @enum {string}
             */
            role?: "insurer" | "claims" | "admin" | "auditor";
            /**
             * Format: uuid
             * @description The insurer of a key with the role `insurer`
             */
            provider_id?: string;
            /**
             * Format: uuid
             * @description For a key of a person, in place of `role`; of a person of a merchant beside `environment_id`
             */
            person_id?: string;
            /** @description Who or what uses the key */
            label: string;
            /** @description Up to which amounts an `insurer` or `claims` role decides; without it there is no limit */
            authority?: {
                /** @description Code of ISO 4217 of a currency with two decimals */
                currency: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                approve_up_to?: string | number;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                pay_up_to?: string | number;
                /** @description Bounds nothing yet, because claims have no reserves */
                reserve_up_to?: string | number;
            };
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access?: "full" | "read";
            /**
             * Format: date-time
             * @description From then on the key is rejected
             */
            expires_at?: string;
        };
        AdminRevokeApiKeyRequest: {
            key_id: string;
        };
        AdminAddPersonRequest: {
            name: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "merchant" | "insurer" | "claims" | "admin" | "auditor";
            /** @description The merchant of a person with the role `merchant` */
            short_code?: string;
            /**
             * Format: uuid
             * @description The insurer of a person with the role `insurer`
             */
            provider_id?: string;
            authority?: {
                /** @description Code of ISO 4217 of a currency with two decimals */
                currency: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                approve_up_to?: string | number;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                pay_up_to?: string | number;
                /** @description Bounds nothing yet, because claims have no reserves */
                reserve_up_to?: string | number;
            } | null;
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access?: "full" | "read";
        };
        AdminUpdatePersonRequest: {
            /** Format: uuid */
            person_id: string;
            name?: string;
            /** @enum {string} */
            role?: "merchant" | "insurer" | "claims" | "admin" | "auditor";
            /** @description The merchant of a person with the role `merchant` */
            short_code?: string;
            /**
             * Format: uuid
             * @description The insurer of a person with the role `insurer`
             */
            provider_id?: string;
            authority?: {
                /** @description Code of ISO 4217 of a currency with two decimals */
                currency: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                approve_up_to?: string | number;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                pay_up_to?: string | number;
                /** @description Bounds nothing yet, because claims have no reserves */
                reserve_up_to?: string | number;
            } | null;
            /**
             * @description `read`: changes nothing
             * @enum {string}
             */
            access?: "full" | "read";
            /** @description Removes the account of the first sign-in: that of the next sign-in with the e-mail address counts */
            release_sign_in?: boolean;
        };
        AdminRemovePersonRequest: {
            /** Format: uuid */
            person_id: string;
            reason: string;
        };
        AdminEndSessionsRequest: {
            /** Format: uuid */
            person_id: string;
        };
        AdminIssueTicketRequest: {
            /** Format: uuid */
            person_id?: string;
            /** Format: email */
            email?: string;
        };
        AdminRegisterProviderRequest: {
            name: string;
            /** Format: email */
            support_email: string;
            support_phone: string;
            address?: string | null;
        };
        AdminUpdateProviderRequest: {
            /** Format: uuid */
            provider_id: string;
            name?: string;
            /** Format: email */
            support_email?: string;
            support_phone?: string;
            address?: string | null;
        };
        AdminConfirmProviderRequest: {
            /** Format: uuid */
            provider_id: string;
        };
        AdminWithdrawProviderRequest: {
            /** Format: uuid */
            provider_id: string;
        };
        AdminAddProductRequest: {
            /** Format: uuid */
            provider_id: string;
            name: string;
            description: string;
            /** @enum {string} */
            product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            /** @description Amount with at most 8 integer and 2 decimal digits */
            base_premium: string | number;
            /** @description Code of ISO 4217 of a currency with two decimals. Default: "NGN" */
            currency?: string;
            /** @description Default: null */
            product_plan?: string | null;
            rating?: {
                rate?: {
                    field: string;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    percent: string;
                };
                loadings?: {
                    field: string;
                    equals?: string | number | boolean;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    at_least?: string | number;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    below?: string | number;
                    /** @description Decimal string, -100 to 1000, with at most 6 decimal digits */
                    percent?: string;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    amount?: string | number;
                    label: string;
                }[];
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                discount_percent?: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                minimum_premium?: string | number;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                surcharge?: string | number;
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                tax_percent?: string;
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                commission_percent?: string;
            } | null;
            coverages?: {
                coverage_name: string;
                coverage_description?: string | null;
                coverage_type?: string | null;
                coverage_limit?: (string | number) | null;
                deductible?: (string | number) | null;
            }[];
            tiers?: {
                tier_name: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                base_premium: string | number;
                rating?: {
                    rate?: {
                        field: string;
                        /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                        percent: string;
                    };
                    loadings?: {
                        field: string;
                        equals?: string | number | boolean;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        at_least?: string | number;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        below?: string | number;
                        /** @description Decimal string, -100 to 1000, with at most 6 decimal digits */
                        percent?: string;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        amount?: string | number;
                        label: string;
                    }[];
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    discount_percent?: string;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    minimum_premium?: string | number;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    surcharge?: string | number;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    tax_percent?: string;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    commission_percent?: string;
                } | null;
                coverages?: {
                    coverage_name: string;
                    coverage_description?: string | null;
                    coverage_type?: string | null;
                    coverage_limit?: (string | number) | null;
                    deductible?: (string | number) | null;
                }[];
            }[];
            /** @description Limits what quotes accept: allowed and refused values by field, and the age. Default: null */
            additional_information?: {
                options?: {
                    [key: string]: (string | number | boolean)[];
                };
                refused?: {
                    [key: string]: (string | number | boolean)[];
                };
                /** @description Age in whole years from which a person can be insured */
                min_age?: number | null;
                /** @description Age in whole years up to which a person can be insured */
                max_age?: number | null;
            } | null;
            /** @description What a cancellation returns */
            cancellation?: {
                /** @description Days after the purchase through which a cancellation returns everything; 0: none */
                cooling_off_days?: number;
                /** @description Whether anything is returned of a term with a paid claim; true when left out */
                refund_after_claim?: boolean;
                /** @description Part of the net price of a term that is never returned */
                minimum_retained?: string | number;
            } | null;
            /** @description Default: true */
            renewable?: boolean;
            /** @description Default: false */
            inspection_required?: boolean;
            /** @description Spelt so in the specification of the API. Default: false */
            cerfication_required?: boolean;
            /** @description Default: true */
            is_live?: boolean;
        };
        AdminUpdateProductRequest: {
            /** Format: uuid */
            product_id: string;
            name?: string;
            description?: string;
            /** @enum {string} */
            product_type?: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            /** @description Amount with at most 8 integer and 2 decimal digits */
            base_premium?: string | number;
            /** @description Code of ISO 4217 of a currency with two decimals */
            currency?: string;
            product_plan?: string | null;
            rating?: {
                rate?: {
                    field: string;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    percent: string;
                };
                loadings?: {
                    field: string;
                    equals?: string | number | boolean;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    at_least?: string | number;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    below?: string | number;
                    /** @description Decimal string, -100 to 1000, with at most 6 decimal digits */
                    percent?: string;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    amount?: string | number;
                    label: string;
                }[];
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                discount_percent?: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                minimum_premium?: string | number;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                surcharge?: string | number;
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                tax_percent?: string;
                /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                commission_percent?: string;
            } | null;
            coverages?: {
                coverage_name: string;
                coverage_description?: string | null;
                coverage_type?: string | null;
                coverage_limit?: (string | number) | null;
                deductible?: (string | number) | null;
            }[];
            tiers?: {
                tier_name: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                base_premium: string | number;
                rating?: {
                    rate?: {
                        field: string;
                        /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                        percent: string;
                    };
                    loadings?: {
                        field: string;
                        equals?: string | number | boolean;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        at_least?: string | number;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        below?: string | number;
                        /** @description Decimal string, -100 to 1000, with at most 6 decimal digits */
                        percent?: string;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        amount?: string | number;
                        label: string;
                    }[];
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    discount_percent?: string;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    minimum_premium?: string | number;
                    /** @description Amount with at most 8 integer and 2 decimal digits */
                    surcharge?: string | number;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    tax_percent?: string;
                    /** @description Decimal string, 0 to 100, with at most 6 decimal digits */
                    commission_percent?: string;
                } | null;
                coverages?: {
                    coverage_name: string;
                    coverage_description?: string | null;
                    coverage_type?: string | null;
                    coverage_limit?: (string | number) | null;
                    deductible?: (string | number) | null;
                }[];
            }[];
            /** @description Limits what quotes accept: allowed and refused values by field, and the age */
            additional_information?: {
                options?: {
                    [key: string]: (string | number | boolean)[];
                };
                refused?: {
                    [key: string]: (string | number | boolean)[];
                };
                /** @description Age in whole years from which a person can be insured */
                min_age?: number | null;
                /** @description Age in whole years up to which a person can be insured */
                max_age?: number | null;
            } | null;
            /** @description What a cancellation returns */
            cancellation?: {
                /** @description Days after the purchase through which a cancellation returns everything; 0: none */
                cooling_off_days?: number;
                /** @description Whether anything is returned of a term with a paid claim; true when left out */
                refund_after_claim?: boolean;
                /** @description Part of the net price of a term that is never returned */
                minimum_retained?: string | number;
            } | null;
            renewable?: boolean;
            inspection_required?: boolean;
            /** @description Spelt so in the specification of the API */
            cerfication_required?: boolean;
            is_live?: boolean;
        };
        AdminWithdrawProductRequest: {
            /** Format: uuid */
            product_id: string;
        };
        AdminRestoreProductRequest: {
            /** Format: uuid */
            product_id: string;
        };
        AdminRequestQuotesRequest: {
            /** @description The customer; may also be given when the quote is bought */
            customer_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: email */
                email: string;
                phone?: string;
                residential_address?: {
                    street?: string;
                    city?: string;
                    state?: string;
                    country?: string;
                    house_number?: string;
                    postal_code?: string;
                };
                /** Format: date */
                date_of_birth?: string;
                customer_gender?: string;
                occupation?: string;
                /** Format: uri */
                identity_card_img?: string;
                /** Format: uri */
                utility_bill_img?: string;
                identity_card_number?: string;
                identity_card_type?: string;
                /** Format: date */
                identity_card_expiry_date?: string;
            };
            insurance_details: {
                /** @constant */
                product_type: "Auto";
                additional_information: {
                    /** @enum {string} */
                    vehicle_type: "Car" | "Bike";
                    /** @description Needed for cars */
                    vehicle_make?: string;
                    vehicle_model?: string;
                    /** @description From 1950 to the present year */
                    vehicle_year: number | string;
                    vehicle_value: number | string;
                    /** @enum {string} */
                    vehicle_usage: "Private" | "Commercial" | "Rideshare";
                    insurance_options: string;
                    vehicle_usage_details?: string;
                    vehicle_mileage?: number | string;
                    /** @enum {string} */
                    vehicle_location?: "urban" | "suburban" | "rural";
                    /** @enum {string} */
                    vehicle_location_details?: "high_crime" | "low_crime" | "safe";
                    vehicle_purpose?: string;
                    vehicle_purpose_details?: string;
                    /** @enum {string} */
                    vehicle_category?: "Saloon" | "Suv" | "Truck" | "Van" | "Motorcycle";
                };
            } | {
                /** @constant */
                product_type: "Gadget";
                additional_information: {
                    /** @enum {string} */
                    gadget_type: "Pos" | "Smartphone" | "Laptop" | "Tablet" | "Smartwatch" | "Camera" | "Headphones" | "Other";
                    gadget_value: number | string;
                    insurance_options: string;
                    /** @description For example make and model */
                    gadget_information?: {
                        [key: string]: unknown;
                    };
                    usage_history?: {
                        [key: string]: unknown;
                    };
                };
            } | {
                /** @constant */
                product_type: "Health";
                additional_information: {
                    /** @enum {string} */
                    health_condition: "good" | "fair" | "poor" | "critical";
                    age: number | string;
                    /** @enum {string} */
                    coverage_type?: "basic" | "standard" | "premium";
                    /** @enum {string} */
                    coverage_type_details?: "individual" | "family" | "group";
                };
            } | {
                /** @constant */
                product_type: "Home";
                additional_information: {
                    /** @enum {string} */
                    property_type: "house" | "apartment" | "condo";
                    property_value: number | string;
                    stationary_items_value: number | string;
                    mobile_items_value: number | string;
                    property_location: string;
                    security_details?: {
                        [key: string]: unknown;
                    };
                };
            } | {
                /** @constant */
                product_type: "Personal_Accident";
                additional_information: {
                    occupation: string;
                    /** @enum {string} */
                    occupation_risk_level?: "low" | "medium" | "high";
                    /** @enum {string} */
                    occupation_risk_details?: "office" | "field" | "remote";
                };
            } | {
                /** @constant */
                product_type: "Travel";
                additional_information: {
                    destination: string;
                    /** Format: date */
                    departure_date: string;
                    /** Format: date */
                    return_date: string;
                    /** @description 1 unless given. Default: 1 */
                    number_of_travellers?: number | string;
                    /** @description Days */
                    trip_duration?: number | string;
                    /** @enum {string} */
                    trip_type?: "one_way" | "round_trip";
                    trip_type_details?: string;
                    /** @description Default: false */
                    international_flight?: boolean;
                    insurance_options?: string;
                    user_age?: number | string;
                    travel_purpose?: string;
                    travel_mode?: string;
                };
            } | {
                /** @constant */
                product_type: "Cargo";
                additional_information: {
                    /** @enum {string} */
                    shipment_type: "domestic" | "international";
                    shipment_value: number | string;
                    shipment_origin: string;
                    shipment_destination: string;
                    shipment_carrier: string;
                    /** @description For example tracking_number and service_type */
                    shipment_carrier_details?: {
                        [key: string]: unknown;
                    };
                    exchange_rate?: number | string;
                };
            } | {
                /** @enum {string} */
                product_type: "Life" | "Student_Protection" | "Accident" | "CreditLife" | "PetCare" | "General" | "Other";
                /** @description Default: {} */
                additional_information?: {
                    [key: string]: unknown;
                };
            };
            coverage_preferences?: {
                /** @description Keeps offers with a coverage of at least one of these types */
                coverage_type?: string[];
                /** @description Keeps offers with a coverage limit of at least this */
                coverage_amount?: number | string;
                /** @description Keeps offers that have coverages of all of these names */
                additional_coverages?: string[];
            };
            /** @description The days for which the quotes are priced; a year when left out */
            policy_duration?: number;
            environment_id: number;
        };
        AdminPurchasePolicyRequest: {
            quote_code?: string;
            purchase_id?: string;
            /** @description The policy holder: needed when the quote was requested without one, and only then taken */
            customer_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: email */
                email: string;
                phone?: string;
                residential_address?: {
                    street?: string;
                    city?: string;
                    state?: string;
                    country?: string;
                    house_number?: string;
                    postal_code?: string;
                };
                /** Format: date */
                date_of_birth?: string;
                customer_gender?: string;
                occupation?: string;
                /** Format: uri */
                identity_card_img?: string;
                /** Format: uri */
                utility_bill_img?: string;
                identity_card_number?: string;
                identity_card_type?: string;
                /** Format: date */
                identity_card_expiry_date?: string;
            };
            /** @description The merchant's number of the customer, who is found by it, or gets it */
            customer_reference?: string | null;
            /**
             * Format: date
             * @description First day of cover; today when left out, never in the past
             */
            effective_from?: string;
            /** @description Days; 365 are a year; that of the quote when left out */
            policy_duration?: number;
            /** @description Default: false */
            auto_renew?: boolean;
            beneficiaries?: {
                beneficiary_name: string;
                relationship?: string | null;
                /** @description Percentage of what is paid; all beneficiaries have one, or none */
                share_percent?: (string | number) | null;
            }[];
            environment_id: number;
        };
        AdminRenewPolicyRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            /** Format: date */
            preferred_policy_start_date: string;
            policy_duration: number;
            /** @description Default: false */
            include_additional_coverage?: boolean;
            /** @description Default: false */
            modify_exisitng_coverage?: boolean;
            coverage_details?: {
                [key: string]: unknown;
            };
            /** @description Default: false */
            auto_renew?: boolean;
            /** @description The premium of the new term, as a preview showed it: another amount is refused */
            expected_amount?: string | number;
            environment_id: number;
        };
        AdminChangePolicyRequest: {
            /** @description The policy id; with a merchant key also the policy number */
            policy_id: string;
            changes: {
                /** @enum {string} */
                action: "add" | "modify" | "remove";
                coverage_name?: string;
                coverage_type?: string;
                coverage_limit?: (string | number) | null;
                deductible?: (string | number) | null;
                /** @description Any JSON */
                covered_items?: unknown;
                /** @description What a year costs more, tax included; negative: less */
                additional_amount?: string | number;
            }[];
            reason?: string;
            /** @description What all terms cost more (`premium_difference`), as a preview showed it: another amount is refused */
            expected_amount?: string | number;
            environment_id: number;
        };
        AdminCancelPolicyRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            cancellation_reason: string;
            /**
             * Format: date
             * @description Last day of cover; today when left out. From today through the last day of the term in force; for the platform also an earlier day of that term
             */
            effective_on?: string;
            /** @description What is returned (`refund_amount`), as a preview showed it: another amount is refused */
            expected_amount?: string | number;
            merchant_feedback?: string;
            /** @description Any JSON: policies or offers that the merchant proposes instead */
            alternative_offerings?: unknown;
            environment_id: number;
        };
        AdminSetAutoRenewRequest: {
            /** @description The policy id; with a merchant key also the policy number */
            policy_id: string;
            auto_renew: boolean;
        };
        AdminSetBeneficiariesRequest: {
            /** @description The policy id; with a merchant key also the policy number */
            policy_id: string;
            beneficiaries: {
                beneficiary_name: string;
                relationship?: string | null;
                /** @description Percentage of what is paid; all beneficiaries have one, or none */
                share_percent?: (string | number) | null;
            }[];
            environment_id: number;
        };
        AdminUpdateCustomerRequest: {
            /** Format: uuid */
            customer_id: string;
            full_name?: string;
            /** Format: email */
            customer_email?: string;
            /** @description null clears it */
            customer_phone?: string | null;
            /** @description null clears it */
            address?: string | null;
            /** @description null clears it; not in the future */
            date_of_birth?: string | null;
            /** @description null clears it */
            customer_reference?: string | null;
        };
        AdminActivatePolicyRequest: {
            /** Format: uuid */
            policy_id: string;
        };
        AdminDeclinePolicyRequest: {
            /** Format: uuid */
            policy_id: string;
            reason: string;
        };
        AdminReinstatePolicyRequest: {
            /** Format: uuid */
            policy_id: string;
            reason: string;
        };
        AdminWithdrawTermRequest: {
            /** Format: uuid */
            policy_id: string;
            /** Format: date */
            from: string;
            reason: string;
        };
        AdminSubmitClaimRequest: {
            /** Format: uuid */
            policy_id?: string;
            policy_number?: string;
            claim_details: {
                claim_type: string;
                /** Format: date */
                incident_date: string;
                incident_description?: string;
                /** @description Amount with at most 8 integer and 2 decimal digits */
                claim_amount?: string | number;
                /** @description Of a coverage on the day of the incident */
                coverage_name?: string;
            };
            claimant_metadata?: {
                first_name: string;
                /** @description Left out or empty for a name of one word */
                last_name?: string;
                /** Format: date */
                birth_date: string;
                /** Format: email */
                email: string;
                phone_number?: string;
                relationship?: string;
            };
            documents?: {
                /** @description The name of the file; folders before it and marks of direction are dropped */
                document_name: string;
                evidence_type: string | null;
                /** @description The content, base64 */
                blob: string;
            }[];
            environment_id: number;
        };
        AdminReviewClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            note?: string;
        };
        AdminSendClaimForApprovalRequest: {
            /** Format: uuid */
            claim_id: string;
            note?: string;
        };
        AdminApproveClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            /** @description Amount with at most 8 integer and 2 decimal digits */
            approved_amount?: string | number;
            coverage_name?: string;
        };
        AdminSendClaimOfferRequest: {
            /** Format: uuid */
            claim_id: string;
            /** @description Amount with at most 8 integer and 2 decimal digits */
            offer_amount?: string | number;
        };
        AdminAcceptClaimOfferRequest: {
            /** @description The claim id; with a merchant key also the reference number */
            claim_id: string;
        };
        AdminRejectClaimOfferRequest: {
            /** @description The claim id; with a merchant key also the reference number */
            claim_id: string;
            reason: string;
        };
        AdminAddClaimDocumentsRequest: {
            /** @description The claim id; with a merchant key also the reference number */
            claim_id: string;
            documents: {
                /** @description The name of the file; folders before it and marks of direction are dropped */
                document_name: string;
                evidence_type: string | null;
                /** @description The content, base64 */
                blob: string;
            }[];
        };
        AdminPayClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            /** @description What is left to pay when left out */
            paid_amount?: string | number;
            /**
             * Format: date
             * @description Today when left out; not before the approval or the accepted offer
             */
            paid_on?: string;
            reference?: string;
            /** @description Whether nothing is paid after it */
            final?: boolean;
        };
        AdminReversePaymentRequest: {
            /** Format: uuid */
            claim_id: string;
            /** Format: uuid */
            payment_id: string;
            reason: string;
        };
        AdminDenyClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            reason: string;
        };
        AdminWithdrawClaimRequest: {
            /** @description The claim id; with a merchant key also the reference number */
            claim_id: string;
            reason: string;
        };
        AdminReopenClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            reason: string;
        };
        AdminReviseClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            /** @description Amount with at most 8 integer and 2 decimal digits */
            claim_amount?: string | number;
            /** Format: date */
            incident_date?: string;
            incident_description?: string;
            coverage_name?: string;
            reason: string;
        };
        AdminAddClaimNoteRequest: {
            /** @description The claim id; with a merchant key also the reference number */
            claim_id: string;
            text: string;
        };
        AdminAssignClaimRequest: {
            /** Format: uuid */
            claim_id: string;
            /** @description Id of the person or of the key */
            assignee: string | null;
        };
        AdminImportPolicyTermRequest: {
            policy_number: string;
            product_name: string;
            customer_reference: string;
            customer_name: string;
            /** Format: email */
            customer_email: string;
            customer_phone?: string;
            /** @description A day, YYYY-MM-DD, or empty */
            customer_date_of_birth?: string;
            customer_address?: string;
            /** Format: date */
            term_from: string;
            /** Format: date */
            term_through: string;
            /** @description Amount with at most 8 integer and 2 decimal digits */
            premium: string | number;
            payment_frequency?: string;
            /** @description Names of coverages, with `;` between them, or empty */
            coverages?: string;
            /** @description An amount, or empty */
            tax?: string | number;
            /** @description An amount, or empty */
            commission?: string | number;
            /** @description `true`, `false` or empty, which is `false` */
            auto_renew?: string;
            /** @description A day, YYYY-MM-DD, or empty */
            cancelled_on?: string;
            cancellation_reason?: string;
            /** @description An amount, or empty */
            return_premium?: string | number;
            provider_name: string;
            /** @enum {string} */
            product_type: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
            /** @description Code of ISO 4217 of a currency with two decimals */
            currency: string;
            environment_id: number;
        } & {
            [key: string]: string;
        };
        AdminImportClaimRequest: {
            claim_reference_number: string;
            policy_number: string;
            claim_type: string;
            /** Format: date */
            incident_date: string;
            /** Format: date */
            filed_on: string;
            /** @description Amount with at most 8 integer and 2 decimal digits */
            claim_amount: string | number;
            /** @enum {string} */
            claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
            /** @description An amount, or empty */
            approved_amount?: string | number;
            /** @description An amount, or empty */
            paid_amount?: string | number;
            /** @description A day, YYYY-MM-DD, or empty */
            resolved_on?: string;
            environment_id: number;
        };
        AdminRetryParkedRequest: {
            /** @enum {string} */
            collection: "policies" | "claims" | "customers" | "transactions" | "event_entries" | "search_terms" | "merchants" | "environments" | "api_keys" | "persons" | "products" | "providers" | "mail_jobs";
            key: string;
        };
        AdminResendMailRequest: {
            /**
             * Format: uuid
             * @description Id of the mail job, as GET /api/v1/admin/mail-jobs lists it
             */
            job_id: string;
        };
        RequestRebuildRequest: Record<string, never>;
        Rebuild: {
            /** Format: uuid */
            rebuild_id: string;
            /** @enum {string} */
            state: "running" | "completed" | "refused";
            /** @description Why the rebuild was refused, or, while it runs, why it needs the log to be restored; else null */
            reason: string | null;
            requested_at: string;
            /** @description Positions of the last event in the new documents and of the newest event; null unless the process that answers executes the rebuild */
            progress: {
                position: string | null;
                head: string | null;
            } | null;
        };
        PortfolioRow: {
            /** @description The product type, `provider_id` or `short_code` that `group_by` asks for; `all` without it */
            group: string;
            currency: string;
            /** @description Policies in force on the day, which the last day of cover is too */
            policies_in_force: number;
            /** @description Net price and fee, without tax, of their terms that contain the day */
            premium_in_force: string;
            /** @description Net price and fee, without tax, of the terms that have begun, with the changes made up to the day */
            premium_written: string;
            /** @description Net price for the days of cover through the day, and the fee; from the last day of cover of a cancelled policy, all that was not returned */
            premium_earned: string;
            /** @description Net price for the days after it: written less earned less returned; 0.00 from the last day of cover of a cancelled policy */
            premium_unearned: string;
            /** @description Net price and fee that cancellations up to the day return of these terms */
            premium_returned: string;
            /** @description Tax on these terms, less the tax that was returned; unknown counts as 0 */
            tax: string;
            /** @description Commission on these terms, less what was returned; unknown counts as 0 */
            commission: string;
            /** @description Commission on `premium_unearned` */
            commission_unearned: string;
            /** @description Holders of the policies in force */
            customers: number;
            /** @description Claims filed up to the day */
            claims_filed: number;
            /** @description Claims paid up to the day */
            claims_paid: number;
            /** @description Payments made up to the day and not reversed by then */
            amount_paid: string;
            /** @description What open claims may still cost, less what they paid: of each the accepted offer, else the approved amount, else the claimed amount less the deductible, at most what is left of the limit; 0.00 where the day of the incident is not covered */
            claims_outstanding: string;
        };
        Verification: {
            /** Format: uuid */
            verification_id: string;
            /** @enum {string} */
            state: "running" | "completed" | "failed";
            /** @description Why the verification failed; else null */
            reason: string | null;
            requested_at: string;
            updated_at: string;
            ended_at: string | null;
            /** @description Null unless the verification is running */
            progress: {
                /** @enum {string} */
                step: "log" | "fold" | "compare";
                /** @description Events read or folded, or documents compared */
                count: number;
                /** @description Share of the step */
                share: number;
                /** @description Position up to which the log is read or folded */
                position: string;
                /** @description Position up to which the log will be read or folded */
                head: string;
            } | null;
            /** @description Null unless the verification is completed */
            report: components["schemas"]["VerificationReport"] | null;
        };
        VerificationReport: {
            log: {
                /** @description Events of the log that were read */
                events: number;
                /** @description Position of the last of them */
                up_to: string | null;
                /** @description Faults of the event log and of the file of the records. Above 0, nothing was compared */
                faults: number;
                /** @description The first 1,000 unknown types, and the first 1,000 of the other kinds, which alone mean damage */
                first_faults: {
                    /** @enum {string} */
                    what: "file" | "missing" | "unreadable" | "unknown_type" | "repeated_id" | "misplaced";
                    reason: string;
                    /** @description Of the event, or of the first one that is missing */
                    position: string | null;
                    /** @description Null where the fault concerns no event that is there */
                    event_id: string | null;
                    stream: string | null;
                    revision: number | null;
                }[];
            };
            /** @description Null where the log has a fault: nothing is compared with a damaged log */
            read_models: {
                /** @description Position up to which the log was folded; null where the read models reflect no position */
                up_to: string | null;
                /** @description Stored documents */
                compared: number;
                /** @description Documents that changed meanwhile and were compared up to their newest event */
                moved_on: number;
                differing: number;
                /** @description Documents that are not stored */
                missing: number;
                /** @description Documents that no event creates */
                surplus: number;
                /** @description The first 1,000 of them */
                differences: {
                    collection: string;
                    key: string;
                    /** @enum {string} */
                    what: "differing" | "missing" | "surplus";
                    /** @description JSON Pointers of the first differences, from the stored document: `/body/…`, `/revision` */
                    pointers: string[];
                }[];
                /** @description Documents that are parked: they equal their fold, but show an old state */
                parked: number;
                /** @description The first 1,000 parked documents */
                parked_documents: {
                    collection: string;
                    key: string;
                    reason: string;
                    event_id: string;
                    event_type: string;
                    position: string;
                }[];
                contents: {
                    /** @description Contents of claim documents */
                    compared: number;
                    differences: {
                        claim: string;
                        sha256: string;
                        /** @enum {string} */
                        what: "missing" | "altered";
                    }[];
                };
            } | null;
        };
        VerificationItem: {
            /** Format: uuid */
            verification_id: string;
            /** @enum {string} */
            state: "running" | "completed" | "failed";
            /** @description Why the verification failed; else null */
            reason: string | null;
            requested_at: string;
            updated_at: string;
            ended_at: string | null;
            /** @description Null unless the verification is running */
            progress: {
                /** @enum {string} */
                step: "log" | "fold" | "compare";
                /** @description Events read or folded, or documents compared */
                count: number;
                /** @description Share of the step */
                share: number;
                /** @description Position up to which the log is read or folded */
                position: string;
                /** @description Position up to which the log will be read or folded */
                head: string;
            } | null;
            /** @description Faults, differences and parked documents together; null unless the verification is completed */
            findings: number | null;
        };
        Status: {
            /** @description The checks of `/readyz` of the process that answers */
            checks: {
                /** @description Heading of the runbook that says what to do */
                name: string;
                ok: boolean;
                /** @description Of a failure, or with `ok` of a warning; null without one */
                reason: string | null;
            }[];
            /** @description Position of the newest event */
            head: string | null;
            read_models: {
                name: string;
                /** @description Position up to which its documents reflect the log */
                position: string | null;
                /** @description Number of its parked documents */
                parked: number | null;
            }[];
            /** @description The roles of which one process at a time is the leader */
            roles: {
                name: string;
                /** @description The process that holds the lease: host, process id and a random id */
                leader: string | null;
                /** @description Known for roles that the process that answers leads; else null */
                since: string | null;
            }[];
            /** @description Both null where no public events are sent to Kafka */
            relay: {
                /** @description Position of the last public event that Kafka has acknowledged */
                position: string | null;
                /** @description Age of the oldest public event after it */
                lag_seconds: number | null;
            };
            /** @description The disk of the data folder; both null where the process that answers writes to none */
            disk: {
                free_bytes: number | null;
                total_bytes: number | null;
            };
        };
        /** @enum {string} */
        KnownCode: "malformed_body" | "malformed_request" | "invalid_request" | "policy_not_renewable" | "cursor_unknown" | "not_eligible" | "renewal_overlaps_current_term" | "invalid_verification_token" | "premium_out_of_range" | "incident_not_covered" | "number_differs_by_case" | "incident_outside_every_term" | "amount_too_high" | "api_key_missing" | "ticket_invalid" | "session_ended" | "api_key_expired" | "api_key_invalid" | "cross_site" | "authority_exceeded" | "forbidden" | "merchant_key_required" | "route_not_found" | "policy_not_found" | "term_not_found" | "claim_not_found" | "customer_not_found" | "merchant_not_found" | "environment_not_found" | "provider_not_found" | "product_not_found" | "document_not_found" | "quote_not_found" | "mail_job_not_found" | "parked_document_not_found" | "not_known_yet" | "not_in_force_yet" | "person_not_found" | "key_not_found" | "command_not_found" | "verification_not_found" | "rebuild_not_found" | "method_not_allowed" | "term_overlaps" | "reference_ambiguous" | "amount_changed" | "customer_reference_taken" | "claim_reference_taken" | "claim_move_not_allowed" | "claim_withdrawn" | "incident_no_longer_covered" | "payment_already_reversed" | "claim_paid_after_day" | "policy_already_cancelled" | "policy_not_cancelled" | "policy_not_changeable" | "changed_after_day" | "policy_not_active" | "policy_already_active" | "policy_not_begun" | "policy_expired" | "term_already_withdrawn" | "term_already_begun" | "term_not_last" | "term_is_only_one" | "quote_expired" | "quote_already_purchased" | "merchant_already_verified" | "mail_job_not_parked" | "provider_already_registered" | "provider_already_confirmed" | "provider_not_confirmable" | "provider_withdrawn" | "kyc_already_confirmed" | "person_already_added" | "person_removed" | "key_already_revoked" | "nothing_to_change" | "product_withdrawn" | "product_not_withdrawn" | "precondition_failed" | "body_too_large" | "event_too_large" | "uri_too_long" | "unsupported_media_type" | "idempotency_key_reused" | "certificate_too_large" | "rate_limited" | "portfolio_running" | "verification_running" | "internal_error" | "document_damaged" | "busy" | "unavailable" | "event_unreadable" | "document_parked" | "read_models_building" | "position_not_reached";
        /** @description A CloudEvent 1.0 in structured mode. */
        CloudEvent: {
            /**
             * @description Version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /**
             * Format: uuid
             * @description Id of the event, the same in every repeat: drop ids that you have processed.
             */
            id: string;
            /**
             * @description The producer.
             * @constant
             */
            source: "urn:surety";
            /**
             * Format: date-time
             * @description When the event was recorded, in UTC.
             */
            time: string;
            /**
             * Format: uuid
             * @description The key of the message: the policy, claim, merchant, provider or product.
             */
            subject: string;
            /** @description Revision of the event in the stream of the subject, padded to 10 digits: it grows, with gaps, because not every event is public. */
            sequence: string;
            /**
             * Format: uri
             * @description Address of the JSON Schema of the data.
             */
            dataschema: string;
            /**
             * Format: uuid
             * @description The merchant (tenant id); absent where the event belongs to none.
             */
            merchant?: string;
            /** @description W3C trace context of the request that caused the event, if it had one. */
            traceparent?: string;
            /**
             * @description Type of the data.
             * @constant
             */
            datacontenttype: "application/json";
        };
        /** @description A policy was purchased with a quote. */
        PolicyPurchased: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.purchased.v1";
            /** @description A policy was purchased with a quote. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description The number of the policy. */
                policy_number: string;
                /** @description The merchant's number of the customer at that time. */
                customer_reference: string | null;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /** @description The name of the insurer at that time. */
                provider_name: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /** @description The name of the product at that time. */
                product_name: string;
                /** @description The type of the product. */
                product_type: string;
                /**
                 * @description accepted until cover begins, then active.
                 * @enum {string}
                 */
                status: "accepted" | "active";
                /** @description Whether policies of the product can be renewed. */
                renewable: boolean;
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
                /** @description Days of the term. */
                policy_duration: number;
                /**
                 * Format: uuid
                 * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                 */
                term_id: string;
                /**
                 * Format: date
                 * @description First day covered.
                 */
                effective_from: string;
                /**
                 * Format: date
                 * @description Last day covered.
                 */
                effective_through: string;
                /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                premium: string;
                /** @description Net price; it contains the commission. Decimal string with two decimals. */
                net: string;
                /** @description Fee. Decimal string with two decimals. */
                fee: string;
                tax: string | null;
                commission: string | null;
                /** @description Whether it is not on risk before it is activated by the platform. */
                waits: boolean;
            };
        };
        /** @description A policy was imported, with its first term. */
        PolicyImported: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.imported.v1";
            /** @description A policy was imported, with its first term. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description The number of the policy. */
                policy_number: string;
                /** @description The merchant's number of the customer at that time. */
                customer_reference: string | null;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /** @description The name of the insurer at that time. */
                provider_name: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /** @description The name of the product at that time. */
                product_name: string;
                /** @description The type of the product. */
                product_type: string;
                /**
                 * @description accepted until cover begins, then active.
                 * @enum {string}
                 */
                status: "accepted" | "active";
                /** @description Whether policies of the product can be renewed. */
                renewable: boolean;
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
                /** @description Days of the term. */
                policy_duration: number;
                /**
                 * Format: uuid
                 * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                 */
                term_id: string;
                /**
                 * Format: date
                 * @description First day covered.
                 */
                effective_from: string;
                /**
                 * Format: date
                 * @description Last day covered.
                 */
                effective_through: string;
                /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                premium: string;
                /** @description Net price; it contains the commission. Decimal string with two decimals. */
                net: string;
                /** @description Fee. Decimal string with two decimals. */
                fee: string;
                tax: string | null;
                commission: string | null;
            };
        };
        /** @description Another term of an imported policy; its days may be before those of terms imported earlier. */
        PolicyTermImported: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.term_imported.v1";
            /** @description Another term of an imported policy; its days may be before those of terms imported earlier. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * @description accepted until cover begins, then active.
                 * @enum {string}
                 */
                status: "accepted" | "active";
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
                /** @description Days of the term. */
                policy_duration: number;
                /**
                 * Format: uuid
                 * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                 */
                term_id: string;
                /**
                 * Format: date
                 * @description First day covered.
                 */
                effective_from: string;
                /**
                 * Format: date
                 * @description Last day covered.
                 */
                effective_through: string;
                /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                premium: string;
                /** @description Net price; it contains the commission. Decimal string with two decimals. */
                net: string;
                /** @description Fee. Decimal string with two decimals. */
                fee: string;
                tax: string | null;
                commission: string | null;
            };
        };
        /** @description An accepted policy became active on its start day, or the platform let the cover of a policy that waited begin. */
        PolicyActivated: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.activated.v1";
            /** @description An accepted policy became active on its start day, or the platform let the cover of a policy that waited begin. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * @description The first day was reached, or a waiting policy was activated.
                 * @enum {string}
                 */
                cause: "start_day" | "back_office";
                /**
                 * @description Afterwards: one that is activated before its first day stays accepted until then.
                 * @enum {string}
                 */
                status: "accepted" | "active";
                /** @description New dates of the first term; null where it did not move. */
                moved_term: {
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                } | null;
            };
        };
        /** @description A policy was renewed with another term. */
        PolicyRenewed: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.renewed.v1";
            /** @description A policy was renewed with another term. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * Format: uuid
                 * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                 */
                term_id: string;
                /**
                 * Format: date
                 * @description First day covered.
                 */
                effective_from: string;
                /**
                 * Format: date
                 * @description Last day covered.
                 */
                effective_through: string;
                /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                premium: string;
                /** @description Net price; it contains the commission. Decimal string with two decimals. */
                net: string;
                /** @description Fee. Decimal string with two decimals. */
                fee: string;
                tax: string | null;
                commission: string | null;
                /** @description Days of the term. */
                policy_duration: number;
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
                /** @description Whether cover was added or changed. */
                coverage_change: ("additional" | "modified") | null;
            };
        };
        /** @description Coverages of a policy were changed from its business day on, which is still to come unless a reinstatement repeats the change. */
        PolicyChanged: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.changed.v1";
            /** @description Coverages of a policy were changed from its business day on, which is still to come unless a reinstatement repeats the change. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description The rest of the term of the day and every later term, at their new prices. */
                terms: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                    /** @description What the term costs more than before. */
                    difference: {
                        /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                        premium: string;
                        /** @description Net price; it contains the commission. Decimal string with two decimals. */
                        net: string;
                        /** @description Fee. Decimal string with two decimals. */
                        fee: string;
                        tax: string | null;
                        commission: string | null;
                    };
                }[];
            };
        };
        /** @description A change of coverages was taken back before its business day, because cover ends earlier. */
        PolicyChangeWithdrawn: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.change_withdrawn.v1";
            /** @description A change of coverages was taken back before its business day, because cover ends earlier. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Its terms, with the prices that they had before the change. */
                terms: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                    /** @description What the term costs more than before. */
                    difference: {
                        /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                        premium: string;
                        /** @description Net price; it contains the commission. Decimal string with two decimals. */
                        net: string;
                        /** @description Fee. Decimal string with two decimals. */
                        fee: string;
                        tax: string | null;
                        commission: string | null;
                    };
                }[];
            };
        };
        /** @description The last term of a policy was taken back before it began; its premium is returned in full, and the policy no longer renews automatically. */
        PolicyTermWithdrawn: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.term_withdrawn.v1";
            /** @description The last term of a policy was taken back before it began; its premium is returned in full, and the policy no longer renews automatically. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description What is returned of one term. */
                returned: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                };
            };
        };
        /** @description Automatic renewal was switched on or off. */
        PolicyAutoRenewalSwitched: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.auto_renewal_switched.v1";
            /** @description Automatic renewal was switched on or off. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
            };
        };
        /** @description A due renewal cannot succeed, so automatic renewal was switched off. */
        PolicyAutoRenewalStopped: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.auto_renewal_stopped.v1";
            /** @description A due renewal cannot succeed, so automatic renewal was switched off. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description `provider_withdrawn`, `product_withdrawn` or `premium_out_of_range`. */
                reason: string;
            };
        };
        /** @description A policy was cancelled. The business day is the last day of cover, which may be still to come. */
        PolicyCancelled: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.cancelled.v1";
            /** @description A policy was cancelled. The business day is the last day of cover, which may be still to come. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * Format: date
                 * @description Last day of cover. Terms that begin later never do.
                 */
                effective_on: string;
                /**
                 * Format: date
                 * @description Day of the decision in the time zone.
                 */
                decided_on: string;
                /**
                 * Format: date-time
                 * @description When cover ends, in UTC: the instant of the decision if it is on that day, else the last second of the day.
                 */
                cancelled_at: string;
                /** @description Rule of the term of the day; null: an import gave the amount. */
                refund_rule: ("cooling_off" | "none_after_claim" | "pro_rata" | "not_begun") | null;
                /** @description The term of the last day and every later one; an amount may be 0.00. */
                returned: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                }[];
            };
        };
        /** @description The insurer declined an accepted policy; it never covers anything, and its premium is returned in full. */
        PolicyDeclined: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.declined.v1";
            /** @description The insurer declined an accepted policy; it never covers anything, and its premium is returned in full. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * Format: date-time
                 * @description When it was declined, in UTC.
                 */
                declined_at: string;
                /** @description What is returned of each term. */
                returned: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                }[];
            };
        };
        /** @description A cancellation was undone: the terms are as before it, and cover goes on without a gap. The business day is that of the cancellation. */
        PolicyReinstated: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.policy.reinstated.v1";
            /** @description A cancellation was undone: the terms are as before it, and cover goes on without a gap. The business day is that of the cancellation. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Whether the policy renews automatically. */
                auto_renew: boolean;
                /** @description What the cancellation had returned. */
                reinstated: {
                    /**
                     * Format: uuid
                     * @description Id of the term: UUID of version 5 of the policy and the event that agreed it.
                     */
                    term_id: string;
                    /**
                     * Format: date
                     * @description First day covered.
                     */
                    effective_from: string;
                    /**
                     * Format: date
                     * @description Last day covered.
                     */
                    effective_through: string;
                    /** @description What the customer pays: net price, fee and tax. Decimal string with two decimals. */
                    premium: string;
                    /** @description Net price; it contains the commission. Decimal string with two decimals. */
                    net: string;
                    /** @description Fee. Decimal string with two decimals. */
                    fee: string;
                    tax: string | null;
                    commission: string | null;
                }[];
            };
        };
        /** @description A claim was filed. */
        ClaimFiled: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.filed.v1";
            /** @description A claim was filed. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * @description Status of the claim.
                 * @enum {string}
                 */
                claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
                /**
                 * @description Stage of the claim, more detailed than its status.
                 * @enum {string}
                 */
                stage: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn";
                /** @description The number of the claim. */
                claim_reference_number: string;
                /** @description The number of the policy. */
                policy_number: string;
                /**
                 * Format: date
                 * @description The day on which the claim was filed.
                 */
                claim_date: string;
                /**
                 * Format: date
                 * @description The day of the incident.
                 */
                incident_date: string;
                claim_amount: string | null;
                /** @description Coverage under which it is claimed; null until it is known. */
                coverage_name: string | null;
                /** @description Whether the claim was imported from another book. */
                imported: boolean;
            };
        };
        /** @description A claim has moved to another stage. Payments have `surety.claim.paid.v1` instead, except those of imported claims. */
        ClaimMoved: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.moved.v1";
            /** @description A claim has moved to another stage. Payments have `surety.claim.paid.v1` instead, except those of imported claims. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * @description Status of the claim.
                 * @enum {string}
                 */
                claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
                /**
                 * @description Stage of the claim, more detailed than its status.
                 * @enum {string}
                 */
                stage: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn";
                amount: string | null;
            };
        };
        /** @description A payment was made, after the policy had booked it; or the claim was closed as paid without another payment. A final one closes the claim, whose stage and status are now `paid`. Its business day is the day of the payment. */
        ClaimPaid: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.paid.v1";
            /** @description A payment was made, after the policy had booked it; or the claim was closed as paid without another payment. A final one closes the claim, whose stage and status are now `paid`. Its business day is the day of the payment. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Null where the claim was closed without another payment. */
                payment: {
                    /**
                     * Format: uuid
                     * @description Id of the payment.
                     */
                    payment_id: string;
                    /** @description The amount of the payment. Decimal string with two decimals. */
                    amount: string;
                    /**
                     * Format: date
                     * @description The day of the payment.
                     */
                    paid_on: string;
                } | null;
                /** @description Whether the claim is paid with it. */
                is_final: boolean;
                /** @description What is left to pay afterwards. Decimal string with two decimals. */
                outstanding: string;
            };
        };
        /** @description A payment was taken back: from its business day on it counts nowhere. A paid claim is open again. */
        ClaimPaymentReversed: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.payment_reversed.v1";
            /** @description A payment was taken back: from its business day on it counts nowhere. A paid claim is open again. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * @description Status of the claim.
                 * @enum {string}
                 */
                claim_status: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn";
                /**
                 * @description Stage of the claim, more detailed than its status.
                 * @enum {string}
                 */
                stage: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn";
                /**
                 * Format: uuid
                 * @description Id of the payment.
                 */
                payment_id: string;
                /** @description The amount of the payment. Decimal string with two decimals. */
                amount: string;
                /** @description What is left to pay afterwards. Decimal string with two decimals. */
                outstanding: string;
            };
        };
        /** @description What is claimed was corrected. */
        ClaimRevised: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.revised.v1";
            /** @description What is claimed was corrected. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /**
                 * Format: date
                 * @description The day of the incident.
                 */
                incident_date: string;
                claim_amount: string | null;
                /** @description Coverage under which it is claimed; null until it is known. */
                coverage_name: string | null;
                /** @description Whether approval and offer are void, so that the claim is reviewed again. */
                is_reviewed_again: boolean;
            };
        };
        /** @description A note was added to a claim; its text is read over the API. */
        ClaimNoteAdded: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.note_added.v1";
            /** @description A note was added to a claim; its text is read over the API. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Who did it. */
                by: {
                    /**
                     * @description Role of the key; system: Surety itself.
                     * @enum {string}
                     */
                    role: "merchant" | "insurer" | "claims" | "admin" | "auditor" | "system";
                    /** @description Id of the key of a merchant; else null. */
                    key_id: string | null;
                };
            };
        };
        /** @description Documents were added to a claim; they are downloaded over the API. */
        ClaimDocumentsAdded: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.claim.documents_added.v1";
            /** @description Documents were added to a claim; they are downloaded over the API. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The claim.
                 */
                claim_id: string;
                /**
                 * Format: uuid
                 * @description The policy.
                 */
                policy_id: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The merchant's environment in which it happened. */
                environment_id: number;
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                customer_id: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description The documents that were added. */
                documents: {
                    /** @description SHA-256 of the content. */
                    sha256: string;
                }[];
                /** @description Who did it. */
                by: {
                    /**
                     * @description Role of the key; system: Surety itself.
                     * @enum {string}
                     */
                    role: "merchant" | "insurer" | "claims" | "admin" | "auditor" | "system";
                    /** @description Id of the key of a merchant; else null. */
                    key_id: string | null;
                };
            };
        };
        /** @description A merchant was registered. */
        MerchantRegistered: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.merchant.registered.v1";
            /** @description A merchant was registered. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description The number that the API shows as `id`. */
                merchant_id: number;
                /** @description The code of the merchant in paths of the API. */
                short_code: string;
            };
        };
        /** @description Details of a merchant were changed. */
        MerchantUpdated: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.merchant.updated.v1";
            /** @description Details of a merchant were changed. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
                /** @description Names of the fields that changed; their values are read over the API. */
                changed: string[];
            };
        };
        /** @description A merchant verified its e-mail (`is_active`). */
        MerchantVerified: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.merchant.verified.v1";
            /** @description A merchant verified its e-mail (`is_active`). */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The merchant.
                 */
                tenant_id: string;
            };
        };
        /** @description An insurer was registered. */
        ProviderRegistered: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.provider.registered.v1";
            /** @description An insurer was registered. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
                /** @description The only merchant that sees it until it is confirmed; null: all see it. */
                tenant_id: string | null;
                /** @description The name of the insurer. */
                name: string;
            };
        };
        /** @description Details of an insurer were changed. */
        ProviderUpdated: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.provider.updated.v1";
            /** @description Details of an insurer were changed. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
                /** @description Names of the fields that changed; their values are read over the API. */
                changed: string[];
            };
        };
        /** @description An insurer that a merchant registered, and its products, are visible to every merchant. */
        ProviderConfirmed: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.provider.confirmed.v1";
            /** @description An insurer that a merchant registered, and its products, are visible to every merchant. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
            };
        };
        /** @description An insurer was withdrawn: it is no longer listed, and its products are no longer quoted. Its policies continue. */
        ProviderWithdrawn: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.provider.withdrawn.v1";
            /** @description An insurer was withdrawn: it is no longer listed, and its products are no longer quoted. Its policies continue. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
            };
        };
        /** @description A product of an insurer was added. */
        ProductAdded: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.product.added.v1";
            /** @description A product of an insurer was added. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
                /** @description The only merchant that sees it; null: every merchant that sees its insurer. */
                tenant_id: string | null;
                /** @description The name of the product. */
                name: string;
                /** @description The type of the product. */
                product_type: string;
                /** @description ISO 4217 code of the amounts. */
                currency: string;
                /** @description Premium for 365 days before rating. Decimal string with two decimals. */
                base_premium: string;
                /** @description Whether policies of the product can be renewed. */
                renewable: boolean;
                /** @description Whether the product is offered in quotes, unless it is withdrawn. */
                is_live: boolean;
            };
        };
        /** @description A product was changed. */
        ProductUpdated: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.product.updated.v1";
            /** @description A product was changed. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
                /** @description Names of the fields that changed; their values are read over the API. */
                changed: string[];
                /** @description The new base premium; null: as before. */
                base_premium: string | null;
                /** @description Whether it is now offered in quotes; null: as before. */
                is_live: boolean | null;
            };
        };
        /** @description A product was withdrawn and is not quoted. */
        ProductWithdrawn: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.product.withdrawn.v1";
            /** @description A product was withdrawn and is not quoted. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
            };
        };
        /** @description A withdrawn product is quoted again. */
        ProductRestored: components["schemas"]["CloudEvent"] & {
            /** @constant */
            type: "surety.product.restored.v1";
            /** @description A withdrawn product is quoted again. */
            data: {
                /**
                 * Format: date
                 * @description Business day on which the event takes effect.
                 */
                effective_at: string;
                /**
                 * Format: uuid
                 * @description The product.
                 */
                product_id: string;
                /**
                 * Format: uuid
                 * @description The insurer.
                 */
                provider_id: string;
                /**
                 * @description Where it is visible: live, test or both.
                 * @enum {string}
                 */
                visibility: "live" | "test" | "both";
            };
        };
        PublicEvent: components["schemas"]["PolicyPurchased"] | components["schemas"]["PolicyImported"] | components["schemas"]["PolicyTermImported"] | components["schemas"]["PolicyActivated"] | components["schemas"]["PolicyRenewed"] | components["schemas"]["PolicyChanged"] | components["schemas"]["PolicyChangeWithdrawn"] | components["schemas"]["PolicyTermWithdrawn"] | components["schemas"]["PolicyAutoRenewalSwitched"] | components["schemas"]["PolicyAutoRenewalStopped"] | components["schemas"]["PolicyCancelled"] | components["schemas"]["PolicyDeclined"] | components["schemas"]["PolicyReinstated"] | components["schemas"]["ClaimFiled"] | components["schemas"]["ClaimMoved"] | components["schemas"]["ClaimPaid"] | components["schemas"]["ClaimPaymentReversed"] | components["schemas"]["ClaimRevised"] | components["schemas"]["ClaimNoteAdded"] | components["schemas"]["ClaimDocumentsAdded"] | components["schemas"]["MerchantRegistered"] | components["schemas"]["MerchantUpdated"] | components["schemas"]["MerchantVerified"] | components["schemas"]["ProviderRegistered"] | components["schemas"]["ProviderUpdated"] | components["schemas"]["ProviderConfirmed"] | components["schemas"]["ProviderWithdrawn"] | components["schemas"]["ProductAdded"] | components["schemas"]["ProductUpdated"] | components["schemas"]["ProductWithdrawn"] | components["schemas"]["ProductRestored"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Problem = components['schemas']['Problem'];
export type Policy = components['schemas']['Policy'];
export type Coverage = components['schemas']['Coverage'];
export type Beneficiary = components['schemas']['Beneficiary'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type Change = components['schemas']['Change'];
export type Term = components['schemas']['Term'];
export type Period = components['schemas']['Period'];
export type Transaction = components['schemas']['Transaction'];
export type MerchantTransaction = components['schemas']['MerchantTransaction'];
export type PurchasePolicyRequest = components['schemas']['PurchasePolicyRequest'];
export type RenewPolicyRequest = components['schemas']['RenewPolicyRequest'];
export type CancelPolicyRequest = components['schemas']['CancelPolicyRequest'];
export type ChangePolicyRequest = components['schemas']['ChangePolicyRequest'];
export type SetBeneficiariesRequest = components['schemas']['SetBeneficiariesRequest'];
export type SetAutoRenewRequest = components['schemas']['SetAutoRenewRequest'];
export type Quote = components['schemas']['Quote'];
export type RequestQuotesRequest = components['schemas']['RequestQuotesRequest'];
export type QuoteItem = components['schemas']['QuoteItem'];
export type NotOffered = components['schemas']['NotOffered'];
export type ClaimItem = components['schemas']['ClaimItem'];
export type Claim = components['schemas']['Claim'];
export type AddClaimDocumentsRequest = components['schemas']['AddClaimDocumentsRequest'];
export type SubmitClaimRequest = components['schemas']['SubmitClaimRequest'];
export type AcceptClaimOfferRequest = components['schemas']['AcceptClaimOfferRequest'];
export type RejectClaimOfferRequest = components['schemas']['RejectClaimOfferRequest'];
export type WithdrawClaimRequest = components['schemas']['WithdrawClaimRequest'];
export type AddClaimNoteRequest = components['schemas']['AddClaimNoteRequest'];
export type CustomerItem = components['schemas']['CustomerItem'];
export type Customer = components['schemas']['Customer'];
export type PolicySummary = components['schemas']['PolicySummary'];
export type ClaimSummary = components['schemas']['ClaimSummary'];
export type UpdateCustomerRequest = components['schemas']['UpdateCustomerRequest'];
export type CustomerHistoryEntry = components['schemas']['CustomerHistoryEntry'];
export type Merchant = components['schemas']['Merchant'];
export type EnvironmentItem = components['schemas']['EnvironmentItem'];
export type Environment = components['schemas']['Environment'];
export type ApiKey = components['schemas']['ApiKey'];
export type Me = components['schemas']['Me'];
export type Work = components['schemas']['Work'];
export type FindRequest = components['schemas']['FindRequest'];
export type SearchResult = components['schemas']['SearchResult'];
export type ProductItem = components['schemas']['ProductItem'];
export type Product = components['schemas']['Product'];
export type Provider = components['schemas']['Provider'];
export type RegisterProviderRequest = components['schemas']['RegisterProviderRequest'];
export type OpenSessionRequest = components['schemas']['OpenSessionRequest'];
export type Person = components['schemas']['Person'];
export type ParkedDocument = components['schemas']['ParkedDocument'];
export type MailJob = components['schemas']['MailJob'];
export type CommandEntry = components['schemas']['CommandEntry'];
export type AdminRegisterMerchantRequest = components['schemas']['AdminRegisterMerchantRequest'];
export type AdminUpdateMerchantRequest = components['schemas']['AdminUpdateMerchantRequest'];
export type AdminConfirmKycRequest = components['schemas']['AdminConfirmKycRequest'];
export type AdminResendVerificationRequest = components['schemas']['AdminResendVerificationRequest'];
export type AdminVerifyMerchantRequest = components['schemas']['AdminVerifyMerchantRequest'];
export type AdminCreateEnvironmentRequest = components['schemas']['AdminCreateEnvironmentRequest'];
export type AdminIssueApiKeyRequest = components['schemas']['AdminIssueApiKeyRequest'];
export type AdminRevokeApiKeyRequest = components['schemas']['AdminRevokeApiKeyRequest'];
export type AdminAddPersonRequest = components['schemas']['AdminAddPersonRequest'];
export type AdminUpdatePersonRequest = components['schemas']['AdminUpdatePersonRequest'];
export type AdminRemovePersonRequest = components['schemas']['AdminRemovePersonRequest'];
export type AdminEndSessionsRequest = components['schemas']['AdminEndSessionsRequest'];
export type AdminIssueTicketRequest = components['schemas']['AdminIssueTicketRequest'];
export type AdminRegisterProviderRequest = components['schemas']['AdminRegisterProviderRequest'];
export type AdminUpdateProviderRequest = components['schemas']['AdminUpdateProviderRequest'];
export type AdminConfirmProviderRequest = components['schemas']['AdminConfirmProviderRequest'];
export type AdminWithdrawProviderRequest = components['schemas']['AdminWithdrawProviderRequest'];
export type AdminAddProductRequest = components['schemas']['AdminAddProductRequest'];
export type AdminUpdateProductRequest = components['schemas']['AdminUpdateProductRequest'];
export type AdminWithdrawProductRequest = components['schemas']['AdminWithdrawProductRequest'];
export type AdminRestoreProductRequest = components['schemas']['AdminRestoreProductRequest'];
export type AdminRequestQuotesRequest = components['schemas']['AdminRequestQuotesRequest'];
export type AdminPurchasePolicyRequest = components['schemas']['AdminPurchasePolicyRequest'];
export type AdminRenewPolicyRequest = components['schemas']['AdminRenewPolicyRequest'];
export type AdminChangePolicyRequest = components['schemas']['AdminChangePolicyRequest'];
export type AdminCancelPolicyRequest = components['schemas']['AdminCancelPolicyRequest'];
export type AdminSetAutoRenewRequest = components['schemas']['AdminSetAutoRenewRequest'];
export type AdminSetBeneficiariesRequest = components['schemas']['AdminSetBeneficiariesRequest'];
export type AdminUpdateCustomerRequest = components['schemas']['AdminUpdateCustomerRequest'];
export type AdminActivatePolicyRequest = components['schemas']['AdminActivatePolicyRequest'];
export type AdminDeclinePolicyRequest = components['schemas']['AdminDeclinePolicyRequest'];
export type AdminReinstatePolicyRequest = components['schemas']['AdminReinstatePolicyRequest'];
export type AdminWithdrawTermRequest = components['schemas']['AdminWithdrawTermRequest'];
export type AdminSubmitClaimRequest = components['schemas']['AdminSubmitClaimRequest'];
export type AdminReviewClaimRequest = components['schemas']['AdminReviewClaimRequest'];
export type AdminSendClaimForApprovalRequest = components['schemas']['AdminSendClaimForApprovalRequest'];
export type AdminApproveClaimRequest = components['schemas']['AdminApproveClaimRequest'];
export type AdminSendClaimOfferRequest = components['schemas']['AdminSendClaimOfferRequest'];
export type AdminAcceptClaimOfferRequest = components['schemas']['AdminAcceptClaimOfferRequest'];
export type AdminRejectClaimOfferRequest = components['schemas']['AdminRejectClaimOfferRequest'];
export type AdminAddClaimDocumentsRequest = components['schemas']['AdminAddClaimDocumentsRequest'];
export type AdminPayClaimRequest = components['schemas']['AdminPayClaimRequest'];
export type AdminReversePaymentRequest = components['schemas']['AdminReversePaymentRequest'];
export type AdminDenyClaimRequest = components['schemas']['AdminDenyClaimRequest'];
export type AdminWithdrawClaimRequest = components['schemas']['AdminWithdrawClaimRequest'];
export type AdminReopenClaimRequest = components['schemas']['AdminReopenClaimRequest'];
export type AdminReviseClaimRequest = components['schemas']['AdminReviseClaimRequest'];
export type AdminAddClaimNoteRequest = components['schemas']['AdminAddClaimNoteRequest'];
export type AdminAssignClaimRequest = components['schemas']['AdminAssignClaimRequest'];
export type AdminImportPolicyTermRequest = components['schemas']['AdminImportPolicyTermRequest'];
export type AdminImportClaimRequest = components['schemas']['AdminImportClaimRequest'];
export type AdminRetryParkedRequest = components['schemas']['AdminRetryParkedRequest'];
export type AdminResendMailRequest = components['schemas']['AdminResendMailRequest'];
export type RequestRebuildRequest = components['schemas']['RequestRebuildRequest'];
export type Rebuild = components['schemas']['Rebuild'];
export type PortfolioRow = components['schemas']['PortfolioRow'];
export type Verification = components['schemas']['Verification'];
export type VerificationReport = components['schemas']['VerificationReport'];
export type VerificationItem = components['schemas']['VerificationItem'];
export type Status = components['schemas']['Status'];
export type KnownCode = components['schemas']['KnownCode'];
export type CloudEvent = components['schemas']['CloudEvent'];
export type PolicyPurchased = components['schemas']['PolicyPurchased'];
export type PolicyImported = components['schemas']['PolicyImported'];
export type PolicyTermImported = components['schemas']['PolicyTermImported'];
export type PolicyActivated = components['schemas']['PolicyActivated'];
export type PolicyRenewed = components['schemas']['PolicyRenewed'];
export type PolicyChanged = components['schemas']['PolicyChanged'];
export type PolicyChangeWithdrawn = components['schemas']['PolicyChangeWithdrawn'];
export type PolicyTermWithdrawn = components['schemas']['PolicyTermWithdrawn'];
export type PolicyAutoRenewalSwitched = components['schemas']['PolicyAutoRenewalSwitched'];
export type PolicyAutoRenewalStopped = components['schemas']['PolicyAutoRenewalStopped'];
export type PolicyCancelled = components['schemas']['PolicyCancelled'];
export type PolicyDeclined = components['schemas']['PolicyDeclined'];
export type PolicyReinstated = components['schemas']['PolicyReinstated'];
export type ClaimFiled = components['schemas']['ClaimFiled'];
export type ClaimMoved = components['schemas']['ClaimMoved'];
export type ClaimPaid = components['schemas']['ClaimPaid'];
export type ClaimPaymentReversed = components['schemas']['ClaimPaymentReversed'];
export type ClaimRevised = components['schemas']['ClaimRevised'];
export type ClaimNoteAdded = components['schemas']['ClaimNoteAdded'];
export type ClaimDocumentsAdded = components['schemas']['ClaimDocumentsAdded'];
export type MerchantRegistered = components['schemas']['MerchantRegistered'];
export type MerchantUpdated = components['schemas']['MerchantUpdated'];
export type MerchantVerified = components['schemas']['MerchantVerified'];
export type ProviderRegistered = components['schemas']['ProviderRegistered'];
export type ProviderUpdated = components['schemas']['ProviderUpdated'];
export type ProviderConfirmed = components['schemas']['ProviderConfirmed'];
export type ProviderWithdrawn = components['schemas']['ProviderWithdrawn'];
export type ProductAdded = components['schemas']['ProductAdded'];
export type ProductUpdated = components['schemas']['ProductUpdated'];
export type ProductWithdrawn = components['schemas']['ProductWithdrawn'];
export type ProductRestored = components['schemas']['ProductRestored'];
export type PublicEvent = components['schemas']['PublicEvent'];
export type $defs = Record<string, never>;
export interface operations {
    ListPolicies: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only policies that wait for their activation; the list of a merchant takes every `cover` */
                cover?: "waiting";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Policy"][];
                    };
                };
            };
        };
    };
    PurchasePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurchasePolicyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    GetPolicy: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    GetCertificate: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": Blob;
                };
            };
        };
    };
    GetPolicyHistory: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["HistoryEntry"][];
                        limit: number;
                        offset: number;
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["HistoryEntry"];
                };
            };
        };
    };
    ListPolicyTerms: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        auto_renew: boolean;
                        results: components["schemas"]["Term"][];
                    };
                };
            };
        };
    };
    ListPolicyTransactions: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Transaction"][];
                    };
                };
            };
        };
    };
    ListMerchantPolicies: {
        parameters: {
            query?: {
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only the policy of this number */
                policy_number?: string;
                /** @description Only policies of this status */
                status?: "accepted" | "cancelled" | "active";
                /** @description Only policies with this `cover` today, each in its time zone */
                cover?: "not_begun" | "waiting" | "in_force" | "gap" | "expired" | "cancelled";
                /** @description Only policies of this product type */
                product_type?: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
                /** @description Only policies of this customer */
                customer_id?: string;
                /** @description Only policies of the customer with this reference */
                customer_reference?: string;
                /** @description Only policies in force on this day, each in its time zone */
                in_force_on?: string;
                /** @description Only policies whose `renewal_date` is on this day or later, in their time zone; with it or `renewal_through` the list is ordered by renewal date, first the earliest */
                renewal_from?: string;
                /** @description Only policies whose `renewal_date` is on this day or earlier, in their time zone; without `renewal_from` also those that ran out long ago */
                renewal_through?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["Policy"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["Policy"];
                };
            };
        };
    };
    ListMerchantTransactions: {
        parameters: {
            query?: {
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only what was recorded on this day or later, in the time zone of the policy */
                recorded_from?: string;
                /** @description Only what was recorded on this day or earlier, in the time zone of the policy */
                recorded_through?: string;
                /** @description Only transactions of this kind */
                kind?: "premium" | "premium_change" | "return_premium" | "premium_reinstated" | "claim_payment";
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["MerchantTransaction"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["MerchantTransaction"];
                };
            };
        };
    };
    RenewPolicy: {
        parameters: {
            query?: {
                /** @description `true` responds what the same request would do now, and changes nothing */
                preview?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewPolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        renewal_status: "success" | "preview";
                        message: string;
                        data: {
                            /** Format: uuid */
                            policy_id: string;
                            policy_number: string | null;
                            policy_duration: number;
                            policy_metadata: {
                                product_name: string;
                                product_type: string;
                                insurer: string;
                                customer_name: string;
                                customer_email: string;
                                /** @description Empty where it is not known */
                                customer_phone: string;
                                /** @description Empty where it is not known */
                                customer_address: string;
                                policy_status: string;
                                /** Format: uuid */
                                policy_id: string;
                                renewable: boolean;
                            };
                            /** Format: date */
                            renewal_date: string;
                            /** @description What the new term costs */
                            premium: string;
                            tax: string | null;
                            currency: string;
                            /**
                             * Format: date
                             * @description First day of the new term
                             */
                            effective_from: string;
                            /** Format: date */
                            effective_through: string;
                            coverages: components["schemas"]["Coverage"][];
                        };
                    };
                };
            };
        };
    };
    CancelPolicy: {
        parameters: {
            query?: {
                policy_id?: string;
                policy_number?: string;
                /** @description `true` responds what the same request would do now, and changes nothing */
                preview?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelPolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        cancellation_status: "success" | "preview";
                        message: string;
                        data: {
                            /** Format: uuid */
                            policy_id: string;
                            policy_number: string;
                            /**
                             * @description It is `cancelled` once the end has come
                             * @enum {string}
                             */
                            policy_status: "accepted" | "cancelled" | "active";
                            /** Format: date-time */
                            cancellation_date: string;
                            cancellation_reason: string;
                            cancellation_initiator: string;
                            /**
                             * Format: date
                             * @description Last day of cover
                             */
                            effective_on: string;
                            /** @description Sum of net price, fee and tax returned */
                            refund_amount: string;
                            /** @description Null where the tax of every term is unknown */
                            tax_refunded: string | null;
                            /** @description The rule of the term that contains the day; `not_begun` where none does */
                            refund_rule: ("cooling_off" | "none_after_claim" | "pro_rata" | "not_begun") | null;
                            currency: string;
                        };
                    };
                };
            };
        };
    };
    ChangePolicy: {
        parameters: {
            query?: {
                /** @description `true` responds what the same request would do now, and changes nothing */
                preview?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The policy id; with a merchant key also the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        change_status: "success" | "preview";
                        message: string;
                        data: {
                            /** Format: uuid */
                            policy_id: string;
                            policy_number: string;
                            /**
                             * Format: date
                             * @description First day with the change: tomorrow, of a policy that begins later its first day
                             */
                            effective_on: string;
                            /** @description What all terms cost more than before; negative: less */
                            premium_difference: string;
                            /** @description Null where the tax of every term is unknown */
                            tax_difference: string | null;
                            currency: string;
                            terms: {
                                /** Format: uuid */
                                term_id: string;
                                /** Format: date */
                                from: string;
                                /** Format: date */
                                through: string;
                                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                                premium_before: string;
                                /** @description Decimal string, at most 8 integer and 2 decimal digits */
                                premium: string;
                            }[];
                            /** @description Coverages of the day */
                            coverages: components["schemas"]["Coverage"][];
                        };
                    };
                };
            };
        };
    };
    SetBeneficiaries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The policy id; with a merchant key also the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBeneficiariesRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        policy_id: string;
                        policy_number: string;
                        beneficiaries: components["schemas"]["Beneficiary"][];
                    };
                };
            };
        };
    };
    SetAutoRenew: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The policy id; with a merchant key also the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAutoRenewRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        policy_id: string;
                        policy_number: string;
                        auto_renew: boolean;
                    };
                };
            };
        };
    };
    GetQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                quote_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    RequestQuotes: {
        parameters: {
            query?: {
                /** @description Keeps quotes whose insurer's name contains this, in any case */
                provider_name?: string;
                /** @description Keeps quotes with a coverage of this type */
                coverage_type?: string;
                /** @description Least premium */
                min_price?: string | number;
                /** @description Largest premium */
                max_price?: string | number;
                /** @description `best_coverage` is the highest coverage limit for the premium. Default: "cheapest" */
                sort_by?: "cheapest" | "best_coverage";
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestQuotesRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["QuoteItem"][][];
                        /** @description The products of the type that make no offer, whatever the filters, the oldest first, and why. Only the first are listed where they are very many. */
                        not_offered: components["schemas"]["NotOffered"][];
                    };
                };
            };
        };
    };
    ListClaims: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only claims of this status; `open`: neither paid, denied nor withdrawn */
                claim_status?: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn" | "open";
                /** @description Only claims at this stage, by its name in the timeline */
                stage?: "submitted" | "under review" | "pending approval" | "approved" | "offer sent" | "offer accepted" | "offer rejected" | "paid" | "denied" | "withdrawn";
                /** @description Only claims on policies of this insurer */
                provider_id?: string;
                /** @description Only claims of this merchant */
                short_code?: string;
                /** @description Only claims that are assigned to this person or key, by its id; not for merchants */
                assignee?: string;
                /** @description Only claims filed before this day */
                older_than?: string;
                /** @description Which come first, by the day of filing. Default: "oldest" */
                order?: "oldest" | "newest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["ClaimItem"][];
                    };
                };
            };
        };
    };
    SubmitClaim: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitClaimRequest"];
                "multipart/form-data": {
                    /** Format: uuid */
                    policy_id?: string;
                    policy_number?: string;
                    claim_details: {
                        claim_type: string;
                        /** Format: date */
                        incident_date: string;
                        incident_description?: string;
                        /** @description Amount with at most 8 integer and 2 decimal digits */
                        claim_amount?: string | number;
                        /** @description Of a coverage on the day of the incident */
                        coverage_name?: string;
                    };
                    claimant_metadata?: {
                        first_name: string;
                        /** @description Left out or empty for a name of one word */
                        last_name?: string;
                        /** Format: date */
                        birth_date: string;
                        /** Format: email */
                        email: string;
                        phone_number?: string;
                        relationship?: string;
                    };
                    /** @description Files; the name of each becomes its `document_name` */
                    documents?: Blob[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    ListPolicyClaims: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The policy id, or the policy number */
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["ClaimItem"][];
                    };
                };
            };
        };
    };
    ListMerchantClaims: {
        parameters: {
            query?: {
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only claims of this status; `open`: neither paid, denied nor withdrawn */
                claim_status?: "pending" | "approved" | "offer_sent" | "offer_accepted" | "paid" | "denied" | "withdrawn" | "open";
                /** @description Only claims on this policy */
                policy_id?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["ClaimItem"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["ClaimItem"];
                };
            };
        };
    };
    GetClaim: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
                /** @description `false` leaves out the contents of the documents (`blob`) */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id, or the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    GetClaimHistory: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The claim id, or the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["HistoryEntry"][];
                        limit: number;
                        offset: number;
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["HistoryEntry"];
                };
            };
        };
    };
    GetClaimDocument: {
        parameters: {
            query?: {
                /** @description Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use */
                environment_id?: string;
            };
            header?: never;
            path: {
                /** @description The claim id, or the reference number */
                id: string;
                /** @description SHA-256 of the content, in lower-case hex, as the claim shows it */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
        };
    };
    AddClaimDocuments: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id; with a merchant key also the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddClaimDocumentsRequest"];
                "multipart/form-data": {
                    /** @description Files; the name of each becomes its `document_name` */
                    documents: Blob[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    AcceptClaimOffer: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id; with a merchant key also the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptClaimOfferRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    RejectClaimOffer: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id; with a merchant key also the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectClaimOfferRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    WithdrawClaim: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id; with a merchant key also the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    AddClaimNote: {
        parameters: {
            query?: {
                /** @description `true` shows the contents of the documents (`blob`), which are left out otherwise */
                include_blobs?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The claim id; with a merchant key also the reference number */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddClaimNoteRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claim"];
                };
            };
        };
    };
    ListMerchantCustomers: {
        parameters: {
            query?: {
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only customers with this e-mail address, compared without case */
                email?: string;
                /** @description Only the customer with this reference */
                customer_reference?: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description URL of the next page; null on the last one
                         */
                        next: string | null;
                        results: components["schemas"]["CustomerItem"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["CustomerItem"];
                };
            };
        };
    };
    GetCustomer: {
        parameters: {
            query?: {
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    UpdateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    GetCustomerHistory: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["CustomerHistoryEntry"][];
                        limit: number;
                        offset: number;
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["CustomerHistoryEntry"];
                };
            };
        };
    };
    ListCustomerClaims: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: {
                            data: components["schemas"]["ClaimSummary"][];
                        }[];
                    };
                };
            };
        };
    };
    ListCustomerTransactions: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Transaction"][];
                    };
                };
            };
        };
    };
    ListCustomerPolicies: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Policy"][];
                    };
                };
            };
        };
    };
    ListMerchants: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Merchant"][];
                    };
                };
            };
        };
    };
    GetMerchant: {
        parameters: {
            query?: {
                /** @description Gives the resource as of this business day, which may lie in the future: from what takes effect by the day and is recorded */
                as_of?: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
        };
    };
    GetMerchantHistory: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["HistoryEntry"][];
                        limit: number;
                        offset: number;
                    };
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["HistoryEntry"];
                };
            };
        };
    };
    ListMerchantEnvironments: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The merchant's short code */
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["EnvironmentItem"][];
                    };
                };
            };
        };
    };
    VerifyMerchant: {
        parameters: {
            query: {
                /** @description The verification token, from the link in the mail */
                token: string;
            };
            header?: never;
            path: {
                short_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    GetEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number of the environment */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    ListEnvironmentKeys: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The number of the environment */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
    };
    GetMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    GetWork: {
        parameters: {
            query?: {
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Work"];
                };
            };
        };
    };
    Find: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"][];
                };
            };
        };
    };
    ListEvents: {
        parameters: {
            query?: {
                /** @description Only events after this one, which a page has shown: the cursor to keep */
                lastEventId?: string;
                /** @description Only events after this position in the log, such as a `Surety-Position`; 0 is the beginning */
                after?: string;
                /** @description The most events on a page; 100 when it is not given */
                limit?: number;
                /** @description Only events of this policy, claim, merchant, insurer or product */
                subject?: string;
                /** @description Milliseconds that the response waits for an event where there is none; 0 when it is not given */
                timeout?: number;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        /** Format: uuid */
                        id: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    "application/cloudevents-batch+json": ({
                        /** Format: uuid */
                        id: string;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
    };
    ListProducts: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
                /** @description Only products of this type */
                product_type?: "Life" | "Health" | "Auto" | "Cargo" | "Gadget" | "Travel" | "Home" | "Student_Protection" | "Accident" | "Personal_Accident" | "CreditLife" | "PetCare" | "General" | "Other";
                /** @description Only products of this insurer */
                provider_id?: string;
                /** @description `true`: also products that are not on sale */
                include_withdrawn?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["ProductItem"][][];
                    };
                };
            };
        };
    };
    GetProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
        };
    };
    ListInsurers: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Provider"][];
                    };
                };
            };
        };
    };
    SearchProviders: {
        parameters: {
            query: {
                /** @description Part of the name; case does not matter */
                name: string;
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Provider"][];
                    };
                };
            };
        };
    };
    RegisterProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterProviderRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        provider_id: string;
                        name: string;
                        support_email: string | null;
                    };
                };
            };
        };
    };
    OpenSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenSessionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    EndSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ListPlatformKeys: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["ApiKey"][];
                    };
                };
            };
        };
    };
    ListPersons: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["Person"][];
                    };
                };
            };
        };
    };
    ListParked: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["ParkedDocument"][];
                    };
                };
            };
        };
    };
    ListMailJobs: {
        parameters: {
            query?: {
                /** @description The most results on a page; 25 when it is not given */
                limit?: number;
                /** @description How many results to skip */
                offset?: number;
                /** @description The cursor in the `next` of another page of this list with the same filters: the page starts after it, and `offset` is used only in the links */
                after?: string;
                /** @description The cursor in a `previous`: the page ends before it, and `offset` is used only in the links */
                before?: string;
                /** @description Only mails of this status; parked ones are sent again by ResendMail alone */
                status?: "requested" | "waiting" | "sent" | "parked" | "dropped";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of all items, on all pages */
                        count: number;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description URL of the next or previous page
                         */
                        previous: string | null;
                        results: components["schemas"]["MailJob"][];
                    };
                };
            };
        };
    };
    ListCommands: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        commands: components["schemas"]["CommandEntry"][];
                    };
                };
            };
        };
    };
    AdminRegisterMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRegisterMerchantRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            merchant_id: number;
                            /** Format: uuid */
                            tenant_id: string;
                            short_code: string;
                        };
                    };
                };
            };
        };
    };
    AdminUpdateMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminUpdateMerchantRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminConfirmKyc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminConfirmKycRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminResendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminResendVerificationRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminVerifyMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminVerifyMerchantRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminCreateEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminCreateEnvironmentRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            environment_id: number;
                            /** Format: uuid */
                            client_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminIssueApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminIssueApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            key_id: string;
                            api_key: string | null;
                        };
                    };
                };
            };
        };
    };
    AdminRevokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRevokeApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminAddPerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAddPersonRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            person_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminUpdatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminUpdatePersonRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            person_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminRemovePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRemovePersonRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            person_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminEndSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminEndSessionsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            person_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminIssueTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminIssueTicketRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            person_id: string;
                            ticket: string | null;
                        };
                    };
                };
            };
        };
    };
    AdminRegisterProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRegisterProviderRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            provider_id: string;
                            name: string;
                            support_email: string | null;
                        };
                    };
                };
            };
        };
    };
    AdminUpdateProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminUpdateProviderRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            provider_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminConfirmProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminConfirmProviderRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            provider_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminWithdrawProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminWithdrawProviderRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            provider_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminAddProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAddProductRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            product_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminUpdateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminUpdateProductRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminWithdrawProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminWithdrawProductRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminRestoreProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRestoreProductRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminRequestQuotes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRequestQuotesRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    AdminPurchasePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminPurchasePolicyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: components["schemas"]["Policy"];
                    };
                };
            };
        };
    };
    AdminRenewPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRenewPolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** @enum {string} */
                            renewal_status: "success" | "preview";
                            message: string;
                            data: {
                                /** Format: uuid */
                                policy_id: string;
                                policy_number: string | null;
                                policy_duration: number;
                                policy_metadata: {
                                    product_name: string;
                                    product_type: string;
                                    insurer: string;
                                    customer_name: string;
                                    customer_email: string;
                                    /** @description Empty where it is not known */
                                    customer_phone: string;
                                    /** @description Empty where it is not known */
                                    customer_address: string;
                                    policy_status: string;
                                    /** Format: uuid */
                                    policy_id: string;
                                    renewable: boolean;
                                };
                                /** Format: date */
                                renewal_date: string;
                                /** @description What the new term costs */
                                premium: string;
                                tax: string | null;
                                currency: string;
                                /**
                                 * Format: date
                                 * @description First day of the new term
                                 */
                                effective_from: string;
                                /** Format: date */
                                effective_through: string;
                                coverages: components["schemas"]["Coverage"][];
                            };
                        };
                    };
                };
            };
        };
    };
    AdminChangePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminChangePolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** @enum {string} */
                            change_status: "success" | "preview";
                            message: string;
                            data: {
                                /** Format: uuid */
                                policy_id: string;
                                policy_number: string;
                                /**
                                 * Format: date
                                 * @description First day with the change: tomorrow, of a policy that begins later its first day
                                 */
                                effective_on: string;
                                /** @description What all terms cost more than before; negative: less */
                                premium_difference: string;
                                /** @description Null where the tax of every term is unknown */
                                tax_difference: string | null;
                                currency: string;
                                terms: {
                                    /** Format: uuid */
                                    term_id: string;
                                    /** Format: date */
                                    from: string;
                                    /** Format: date */
                                    through: string;
                                    /** @description Decimal string, at most 8 integer and 2 decimal digits */
                                    premium_before: string;
                                    /** @description Decimal string, at most 8 integer and 2 decimal digits */
                                    premium: string;
                                }[];
                                /** @description Coverages of the day */
                                coverages: components["schemas"]["Coverage"][];
                            };
                        };
                    };
                };
            };
        };
    };
    AdminCancelPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminCancelPolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** @enum {string} */
                            cancellation_status: "success" | "preview";
                            message: string;
                            data: {
                                /** Format: uuid */
                                policy_id: string;
                                policy_number: string;
                                /**
                                 * @description It is `cancelled` once the end has come
                                 * @enum {string}
                                 */
                                policy_status: "accepted" | "cancelled" | "active";
                                /** Format: date-time */
                                cancellation_date: string;
                                cancellation_reason: string;
                                cancellation_initiator: string;
                                /**
                                 * Format: date
                                 * @description Last day of cover
                                 */
                                effective_on: string;
                                /** @description Sum of net price, fee and tax returned */
                                refund_amount: string;
                                /** @description Null where the tax of every term is unknown */
                                tax_refunded: string | null;
                                /** @description The rule of the term that contains the day; `not_begun` where none does */
                                refund_rule: ("cooling_off" | "none_after_claim" | "pro_rata" | "not_begun") | null;
                                currency: string;
                            };
                        };
                    };
                };
            };
        };
    };
    AdminSetAutoRenew: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminSetAutoRenewRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            policy_id: string;
                            policy_number: string;
                            auto_renew: boolean;
                        };
                    };
                };
            };
        };
    };
    AdminSetBeneficiaries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminSetBeneficiariesRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            policy_id: string;
                            policy_number: string;
                            beneficiaries: components["schemas"]["Beneficiary"][];
                        };
                    };
                };
            };
        };
    };
    AdminUpdateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminUpdateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            customer_id: string;
                            /** @description The merchant's number of the customer */
                            customer_reference: string | null;
                            full_name: string;
                            customer_email: string;
                            customer_phone: string | null;
                            date_of_birth: string | null;
                            address: string | null;
                            merchant_short_code: string;
                            test_mode: boolean;
                        };
                    };
                };
            };
        };
    };
    AdminActivatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminActivatePolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminDeclinePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminDeclinePolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminReinstatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReinstatePolicyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminWithdrawTerm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminWithdrawTermRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminSubmitClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminSubmitClaimRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: components["schemas"]["Claim"];
                    };
                };
            };
        };
    };
    AdminReviewClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReviewClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminSendClaimForApproval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminSendClaimForApprovalRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminApproveClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminApproveClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminSendClaimOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminSendClaimOfferRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminAcceptClaimOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAcceptClaimOfferRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminRejectClaimOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRejectClaimOfferRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminAddClaimDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAddClaimDocumentsRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminPayClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminPayClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                            payment_id: string | null;
                        };
                    };
                };
            };
        };
    };
    AdminReversePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReversePaymentRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminDenyClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminDenyClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminWithdrawClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminWithdrawClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminReopenClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReopenClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminReviseClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminReviseClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminAddClaimNote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAddClaimNoteRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                        };
                    };
                };
            };
        };
    };
    AdminAssignClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminAssignClaimRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            claim_status: string;
                            assignee: string | null;
                        };
                    };
                };
            };
        };
    };
    AdminImportPolicyTerm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminImportPolicyTermRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            policy_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminImportClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminImportClaimRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: {
                            /** Format: uuid */
                            claim_id: string;
                        };
                    };
                };
            };
        };
    };
    AdminRetryParked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminRetryParkedRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    AdminResendMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminResendMailRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        stream: string;
                        revision: number;
                        position: string;
                        events: {
                            /** Format: uuid */
                            id: string;
                            type: string;
                        }[];
                        result: Record<string, never>;
                    };
                };
            };
        };
    };
    ListRebuilds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["Rebuild"][];
                    };
                };
            };
        };
    };
    RequestRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestRebuildRequest"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rebuild"];
                };
            };
        };
    };
    GetRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rebuild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rebuild"];
                };
            };
        };
    };
    GetPortfolio: {
        parameters: {
            query: {
                /** @description The day of the book; each policy is counted by this day in its own time zone */
                as_of: string;
                /** @description Gives the resource from what was recorded by this instant: a UTC date-time with Z, at most milliseconds. Alone, it is the resource as it was served then */
                known_at?: string;
                /** @description What a row is about, beside the currency; one row for each currency when it is not given */
                group_by?: "product_type" | "provider" | "merchant";
                /** @description Platform keys only: true shows the test mode instead of the live one */
                test_mode?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        as_of: string;
                        known_at: string | null;
                        /** @description Position of the last event that was read */
                        position: string;
                        results: components["schemas"]["PortfolioRow"][];
                    };
                };
            };
        };
    };
    ListVerifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["VerificationItem"][];
                    };
                };
            };
        };
    };
    StartVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    GetVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                verification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    GetStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
}
