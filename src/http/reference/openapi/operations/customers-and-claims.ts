import { pagesOf } from '../page.ts';

export const CUSTOMER_PAGES = pagesOf('Customers', {
  UpdateCustomer: {
    description: `Changes \`full_name\`, \`customer_email\`, \`customer_phone\`, \`address\`, \`date_of_birth\` or \`customer_reference\`; null clears all but the first two, and a field that is left out stays. What changes nothing records nothing. Policies keep the holder as bought, and so do their
claims, but policies show the reference that the customer has now. A reference is that of one customer of the merchant and mode (\`customer_reference_taken\`); two customers may have one e-mail.

A later purchase changes a customer too: a phone and an address that were given and differ, a date of birth that was not known, and a missing reference. Data of a quote request that is older than the last change of the customer change nothing.

A retry with the same \`Idempotency-Key\` gets the details of the first response, and the policies and claims of now.`,
    request: {
      body: { customer_phone: '+2348098765432', address: '12 Marina Road, Lagos' },
    },
    codes: ['customer_reference_taken'],
  },
});

export const CLAIM_PAGES = pagesOf('Claims', {
  SubmitClaim: {
    description: `Files a claim under a policy, named by \`policy_id\`, \`policy_number\` or both. The incident must be within one of its terms, not after its cancellation and not in the future.

Documents are base64 in JSON, or files in \`multipart/form-data\`. The whole body has at most 10 MiB; because of base64, documents in JSON can have about 7.5 MiB in total. Only the single claim includes them. \`claim_reference_number\` contains a number that counts the claims of the
merchant on that day. A claim starts as \`pending\`; the platform then moves it: submitted → under review → pending approval → approved → paid, or approved → offer sent → offer accepted → paid, or offer sent → offer rejected → offer sent.
Until something is paid it can be denied or withdrawn; what is paid, denied or withdrawn can be reopened. \`coverage_name\` names a coverage of the day of the incident; left out, it is the only one, if there is one.`,
    request: {
      body: {
        policy_number: 'BAO-MOTOR-0001',
        claim_details: {
          claim_type: 'Collision',
          incident_date: '2026-03-10',
          incident_description: 'Hit from behind at a traffic light on Marina Road.',
          claim_amount: '180000.00',
        },
        claimant_metadata: {
          first_name: 'Ada',
          last_name: 'Okafor',
          birth_date: '1990-04-12',
          email: 'ada.okafor@customers.example',
          phone_number: '+2348012345678',
          relationship: 'policy holder',
        },
        documents: [
          {
            document_name: 'police-report.txt',
            evidence_type: 'report',
            blob: 'UmVwb3J0IDQ3MTE6IHJlYXIgY29sbGlzaW9uLg==',
          },
        ],
      },
      form: {
        policy_id: '{scene.sample.policy_id}',
        policy_number: '{scene.sample.policy_number}',
        claim_details: { claim_type: 'illness', incident_description: 'Broken tooth', claim_amount: '8000.00' },
        claimant_metadata: {
          first_name: 'Chinwe',
          last_name: 'Eze',
          birth_date: '1993-02-03',
          email: 'chinwe.eze@customer.example',
          phone_number: '+2340000001003',
          relationship: 'policy holder',
        },
      },
    },
    codes: ['policy_not_found', 'incident_not_covered'],
  },
  AcceptClaimOffer: {
    description:
      'Accepts the offer of a claim whose stage is `offer sent`, by its id or reference number. The body is empty.',
    request: { path: { id: '{scene.sample.offered_claim_id}' }, body: {} },
    codes: ['claim_move_not_allowed'],
  },
  RejectClaimOffer: {
    description:
      'Rejects the offer of a claim whose stage is `offer sent`, by its id or reference number. The `reason` is added to the notes. The claim is `approved` again and waits for another offer.',
    request: { path: { id: '{scene.sample.offered_claim_id}' }, body: { reason: 'The repair costs more' } },
    codes: ['claim_move_not_allowed'],
  },
  WithdrawClaim: {
    description:
      'Takes back a claim of which nothing was paid, by its id or reference number. The `reason` is added to the notes.',
    request: {
      path: { id: '{scene.sample.withdrawable_claim_id}' },
      body: { reason: 'The damage was repaired by the garage' },
    },
    codes: ['claim_move_not_allowed'],
  },
  AddClaimNote: {
    description:
      'Adds a note to a claim, by its id or reference number. `note_entries` show who wrote it, by the label of the key.',
    request: { body: { text: 'The claimant sends the invoice on Monday' } },
  },
  AddClaimDocuments: {
    description:
      'Adds documents to a claim that is not withdrawn, by its id or reference number: base64 in JSON, or files in `multipart/form-data`. A claim has at most 100 documents with 50 MiB in all; the whole body of a request has at most 10 MiB. The same document again is one more entry with the same `sha256`.',
    request: {
      body: { documents: [{ document_name: 'invoice.txt', evidence_type: 'invoice', blob: 'SW52b2ljZSAwODE1' }] },
    },
    codes: ['claim_withdrawn'],
  },
});
