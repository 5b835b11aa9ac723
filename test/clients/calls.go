// Three calls with the generated Go client. Prints what was answered as one line of JSON.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	surety "example.com/surety/client"
)

func main() {
	configuration := surety.NewConfiguration()
	configuration.Servers = surety.ServerConfigurations{{URL: os.Getenv("SURETY_URL")}}
	client := surety.NewAPIClient(configuration)
	keys := map[string]surety.APIKey{"ApiKey": {Key: os.Getenv("SURETY_KEY")}}
	ctx := context.WithValue(context.Background(), surety.ContextAPIKeys, keys)
	switch os.Args[1] {
	case "purchase":
		purchase(ctx, client)
	case "page":
		pages(ctx, client)
	case "claim":
		claim(ctx, client, os.Args[2], os.Args[3])
	}
}

func purchase(ctx context.Context, client *surety.APIClient) {
	year, value := int32(2019), "2000000.00"
	risk := surety.NewAutoInsuranceAdditionalInformation(
		"Car",
		surety.AutoInsuranceAdditionalInformationVehicleYear{Int32: &year},
		surety.AutoInsuranceAdditionalInformationVehicleValue{String: &value},
		"Private",
		"Comprehensive",
	)
	risk.SetVehicleMake("Honda")
	details := surety.AutoInsuranceAsRequestQuotesRequestInsuranceDetails(surety.NewAutoInsurance("Auto", *risk))
	request := surety.NewRequestQuotesRequest(details)
	customer := surety.NewRequestQuotesRequestCustomerMetadata("Ada", "ada@go.example")
	customer.SetLastName("Okafor")
	request.SetCustomerMetadata(*customer)
	quotes, _, err := client.QuotesAPI.RequestQuotes(ctx).RequestQuotesRequest(*request).Limit(1).Execute()
	check(err)
	order := surety.NewPurchasePolicyRequest()
	order.SetQuoteCode(quotes.Results[0][0].QuoteCode)
	policy, _, err := client.PoliciesAPI.PurchasePolicy(ctx).PurchasePolicyRequest(*order).IdempotencyKey("go").Execute()
	check(err)
	show(map[string]any{"policy_id": policy.PolicyId, "premium": policy.Premium, "status": policy.Status})
}

func pages(ctx context.Context, client *surety.APIClient) {
	first := client.PoliciesAPI.ListMerchantPolicies(ctx, os.Getenv("SHORT_CODE")).Limit(2)
	page, _, err := first.Execute()
	check(err)
	next, err := url.Parse(page.GetNext())
	check(err)
	following, _, err := first.After(next.Query().Get("after")).Execute()
	check(err)
	ids := []string{}
	for _, policy := range append(page.Results, following.Results...) {
		ids = append(ids, policy.PolicyId)
	}
	show(map[string]any{"policy_ids": ids})
}

func claim(ctx context.Context, client *surety.APIClient, from, to string) {
	content, err := os.ReadFile(from)
	check(err)
	details := surety.NewSubmitClaimRequestClaimDetails("hospital", time.Now().UTC().Format(time.DateOnly))
	request := surety.NewSubmitClaimRequest(*details)
	request.SetPolicyNumber("HAR-HEALTH-0001")
	evidence := surety.NewNullableString(nil)
	document := surety.NewAddClaimDocumentsRequestDocumentsInner("evidence.bin", *evidence, base64.StdEncoding.EncodeToString(content))
	request.SetDocuments([]surety.AddClaimDocumentsRequestDocumentsInner{*document})
	filed, _, err := client.ClaimsAPI.SubmitClaim(ctx).SubmitClaimRequest(*request).Execute()
	check(err)
	file, _, err := client.ClaimsAPI.GetClaimDocument(ctx, filed.ClaimId, filed.Documents[0].Sha256).Execute()
	check(err)
	downloaded, err := io.ReadAll(file)
	check(err)
	check(os.WriteFile(to, downloaded, 0o600))
	_, answer, err := client.ClaimsAPI.GetClaim(ctx, "unknown").Execute()
	problem := err.(*surety.GenericOpenAPIError).Model().(surety.Problem)
	if answer.StatusCode != http.StatusNotFound {
		log.Fatal(answer.Status)
	}
	show(map[string]any{"claim_id": filed.ClaimId, "code_of_unknown": *problem.Code.String})
}

func show(result map[string]any) {
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func check(err error) {
	if problem, ok := err.(*surety.GenericOpenAPIError); ok {
		log.Fatalf("%v: %s", err, problem.Body())
	}
	if err != nil {
		log.Fatal(err)
	}
}
